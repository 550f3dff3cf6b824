import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useParams } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { listModelEndpoints } from "#contract/models.ts";
import { everyProvider } from "../../api/providers.ts";
import { query } from "../../api/query.ts";
import { formatCount } from "../../format.ts";
import { paths } from "../../paths.ts";
import { PageHeader } from "../../shell/PageHeader.tsx";
import { PromptCache } from "../../shell/PromptCache.tsx";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { modelTypeNames } from "../../shell/model-types.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { buttonClass } from "../../ui/Button.tsx";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { Facts } from "../../ui/Facts.tsx";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { EmptyState, PartialNotice } from "../../ui/Region.tsx";
import { Table } from "../../table/Table.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { dimensionsText, modelRows, type ModelRow } from "./offers.ts";
import { FirstCall } from "./FirstCall.tsx";
import { offerColumns } from "./offer-columns.tsx";
import { PriceRange } from "./PriceRange.tsx";

const Canaries = lazy(async () => ({ default: (await import("./Canaries.tsx")).Canaries }));

const healthEveryMs = 15_000;

/** One model: who serves it, at what price and how well, and how it is called. */
export function ModelPage() {
  const { path } = useWorkspace();
  const { author = "", slug = "" } = useParams({ strict: false });
  const id = `${author}/${slug}`;
  const list = useQuery({ ...everyProvider, refetchInterval: healthEveryMs });
  return (
    <>
      <PageHeader
        title={id}
        sub={
          <span className="flex items-center gap-2">
            <CopyButton text={id} label="Copy the model's id" />
            <Link to={paths.models(path)} className={linkTextClass}>
              All models
            </Link>
          </span>
        }
        actions={
          list.data?.data.some(({ models }) =>
            models.some((model) => model.id === id && model.type === "embedding"),
          ) && (
            <Link to={paths.changePlan(path, id)} className={buttonClass()}>
              Plan a change of model
            </Link>
          )
        }
      />
      <QueryBoundary query={list} what="the model" skeleton={<Waiting />}>
        {({ data }) => {
          const row = modelRows(data).find((one) => one.id === id);
          return row ? <Sections row={row} fresh={!list.isError} /> : <Missing id={id} />;
        }}
      </QueryBoundary>
      <Outlet />
    </>
  );
}

function Sections({ row, fresh }: { row: ModelRow; fresh: boolean }) {
  const { path } = useWorkspace();
  const [author = "", slug = ""] = row.id.split("/");
  const measured = useQuery({
    ...query(listModelEndpoints, { params: { author, slug } }),
    // a model without providers has no endpoints: the request would be refused
    enabled: row.served,
    refetchInterval: healthEveryMs,
  });
  const endpoints = measured.isError ? undefined : measured.data?.data.endpoints;
  const description = row.offers.find(({ model }) => model.description !== "")?.model.description;
  return (
    <>
      <div className="grid gap-4 px-8 pt-3 pb-5 max-md:px-4">
        {description && <p className="max-w-160 text-fg-2">{description}</p>}
        <Facts
          facts={[
            { term: "Type", value: modelTypeNames[row.type] },
            {
              term: ["speech", "transcription", "image", "video"].includes(row.type)
                ? "Price"
                : "Price, input tokens per million",
              value: <PriceRange {...row} />,
            },
            { term: "Context", value: row.context === null ? "Not known" : `${formatCount(row.context)} tokens` },
            ...(row.type === "embedding" ? [{ term: "Dimensions", value: dimensionsText(row) }] : []),
            ...(row.type === "chat"
              ? [{ term: "From prompt caches", value: <PromptCache of={{ field: "model", value: row.id }} /> }]
              : []),
            { term: "Takes", value: row.modalities.join(", ") },
          ]}
        />
      </div>
      <section aria-labelledby="served" className="border-t border-line pt-5">
        <h2 id="served" className="px-8 text-16 text-[15px] max-md:px-4">
          Served by
        </h2>
        <p className="max-w-180 px-8 pt-1 pb-2 text-fg-2 max-md:px-4">{tried(row)}</p>
        {measured.isError && (
          <PartialNotice onRetry={() => void measured.refetch()} retrying={measured.isFetching}>
            The measurements did not load.
          </PartialNotice>
        )}
        <Table
          label={`Providers of ${row.id}`}
          columns={offerColumns}
          context={{
            workspace: path,
            fresh,
            measured: ({ provider }) => endpoints?.find(({ tag }) => tag === provider.slug),
          }}
          // those switched off are last
          rows={row.offers}
          rowId={({ provider }) => provider.slug}
          rowClass={({ on }) => !on && "text-fg-3"}
        />
      </section>
      {row.type === "embedding" && (
        <Suspense>
          <Canaries row={row} />
        </Suspense>
      )}
      <section aria-labelledby="call" className="mt-6 border-t border-line px-8 pt-5 pb-8 max-md:px-4">
        <h2 id="call" className="pb-2 text-16 text-[15px]">
          Call it
        </h2>
        <FirstCall id={row.id} type={row.type} />
      </section>
    </>
  );
}

/** How a call without preferences finds its provider, for as many as there are. */
function tried({ offers, type }: ModelRow): string {
  const served = offers.filter(({ on }) => on);
  if (served.length === 0) return "Calls to it are refused: every provider that serves it is switched off.";
  if (served.length === 1) return "The only provider: if it fails, the call fails.";
  const lengths = new Set(served.map(({ model }) => model.dimensions));
  const apart =
    type === "embedding" && lengths.size > 1
      ? " Their vectors differ in length, so only providers with the first one's length can replace it."
      : "";
  return `Unless the call says otherwise, it goes to a provider that is up, cheaper ones more often; if that one fails, the next is tried.${apart}`;
}

function Missing({ id }: { id: string }) {
  const { path } = useWorkspace();
  return (
    <div className="px-8 py-6 max-md:px-4">
      <EmptyState
        title="No provider here offers it"
        link={
          <Link to={paths.models(path)} className={linkTextClass}>
            Show all models
          </Link>
        }
      >
        No model is called {id}. It may have been removed from its provider.
      </EmptyState>
    </div>
  );
}

function Waiting() {
  return (
    <div className="grid gap-4 px-8 pt-4 max-md:px-4">
      {[280, 340, 240, 300].map((width) => (
        <Skeleton key={width} width={width} height={12} />
      ))}
    </div>
  );
}
