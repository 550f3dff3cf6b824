import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { getModelUsage } from "#contract/activity.ts";
import { everyProvider } from "../../api/providers.ts";
import { query } from "../../api/query.ts";
import { formatCount } from "../../format.ts";
import { paths } from "../../paths.ts";
import { PageHeader } from "../../shell/PageHeader.tsx";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { TableSkeleton } from "../../table/Table.tsx";
import { Field } from "../../ui/Field.tsx";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { NativeSelect } from "../../ui/NativeSelect.tsx";
import { PartialNotice } from "../../ui/Region.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { ChangePlan } from "./ChangePlan.tsx";
import { usualCalls, vectorsMade } from "./change-plan.ts";
import { modelRows } from "./offers.ts";
import { planColumns } from "./plan-columns.tsx";
import { planDays, type PlanSearch } from "./search.ts";

const skeleton = <TableSkeleton columns={planColumns} rows={4} />;

/** What it would cost and take to embed again, with another model, what was embedded with this one. */
export function ChangePlanPage() {
  const { path, id: workspaceId } = useWorkspace();
  const { author = "", slug = "" } = useParams({ strict: false });
  const id = `${author}/${slug}`;
  const search: PlanSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (some: PlanSearch) =>
    void navigate({ to: ".", search: (before: object) => ({ ...before, ...some }), replace: true });
  const { to, last = "90", vectors, calls = usualCalls } = search;
  const usageOf = (model: string | undefined) => ({
    ...query(getModelUsage, { query: { model: model ?? "", last, workspace_id: workspaceId ?? "all" } }),
    enabled: model !== undefined && workspaceId !== undefined,
  });
  const read = useQuery(usageOf(id));
  const target = useQuery(usageOf(to));
  const providers = useQuery(everyProvider);
  const rows = modelRows(providers.data?.data ?? []);
  const others = rows.filter((row) => row.type === "embedding" && row.served && row.id !== id);
  const guessed = read.data && vectorsMade(read.data.data.total.requests, read.data.data.sample);
  return (
    <>
      <PageHeader
        title="Plan a change of model"
        sub={
          <Link to={paths.model(path, id)} className={linkTextClass}>
            {id}
          </Link>
        }
      />
      <div className="grid max-w-250 items-start gap-4 md:grid-cols-[1.3fr_1fr_1.2fr_0.9fr] px-8 pt-4 pb-5 max-md:px-4">
        <Field
          label="Embed again with"
          hint={providers.isSuccess && others.length === 0 && "No other is offered here."}
        >
          {(control) => (
            <NativeSelect
              {...control}
              value={to ?? ""}
              onChange={({ target: { value } }) => change({ to: value === "" ? undefined : value })}
            >
              <option value="">Choose a model</option>
              {/* it stays chosen when nobody serves it any more */}
              {to !== undefined && !others.some((row) => row.id === to) && <option value={to}>{to}</option>}
              {others.map((row) => (
                <option key={row.id} value={row.id}>
                  {row.id}
                </option>
              ))}
            </NativeSelect>
          )}
        </Field>
        <Field label="What was embedded in" hint="UTC days, today included">
          {(control) => (
            <NativeSelect
              {...control}
              value={last}
              onChange={({ target: { value } }) => change({ last: planDays.find((days) => days === value) })}
            >
              {planDays.map((days) => (
                <option key={days} value={days}>
                  the last {days} days
                </option>
              ))}
            </NativeSelect>
          )}
        </Field>
        <Field label="Vectors in the index" optional hint="Without it, about as many as were made">
          {(control) => (
            <Whole
              {...control}
              value={vectors}
              placeholder={guessed == null ? "" : `≈ ${formatCount(guessed)}`}
              onChange={(count) => change({ vectors: count })}
            />
          )}
        </Field>
        <Field label="Calls at a time" hint="What the provider's rate limit allows">
          {(control) => (
            <Whole
              {...control}
              value={search.calls}
              placeholder={String(usualCalls)}
              onChange={(count) => change({ calls: count })}
            />
          )}
        </Field>
      </div>
      {target.isError && (
        <PartialNotice onRetry={() => void target.refetch()} retrying={target.isFetching}>
          How fast {to} was here did not load.
        </PartialNotice>
      )}
      <QueryBoundary query={providers} what="the prices" skeleton={skeleton}>
        {() => (
          <QueryBoundary query={read} what="what was embedded" skeleton={skeleton}>
            {({ data }) => (
              <ChangePlan
                from={{ id, row: rows.find((row) => row.id === id), usage: data }}
                to={
                  to === undefined ? null : { id: to, row: rows.find((row) => row.id === to), usage: target.data?.data }
                }
                vectors={vectors ?? guessed ?? null}
                guessed={vectors === undefined}
                atOnce={calls}
              />
            )}
          </QueryBoundary>
        )}
      </QueryBoundary>
    </>
  );
}

interface WholeProps {
  id: string;
  value: number | undefined;
  placeholder: string;
  onChange: (count: number | undefined) => void;
}

/** A whole number from 1 on; anything else is as good as nothing. */
function Whole({ value, onChange, ...control }: WholeProps) {
  return (
    <TextInput
      {...control}
      figures
      inputMode="numeric"
      value={value === undefined ? "" : String(value)}
      onChange={({ target }) => {
        const count = Number(target.value.replace(/[\s,]/g, ""));
        onChange(Number.isSafeInteger(count) && count > 0 ? count : undefined);
      }}
    />
  );
}
