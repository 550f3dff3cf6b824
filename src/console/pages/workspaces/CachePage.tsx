import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { clearEmbeddingCache, type EmbeddingCacheRecord, getEmbeddingCache } from "#contract/embedding-cache.ts";
import { useNow } from "../../api/clock.ts";
import { useReachable } from "../../api/connectivity.ts";
import { isNotFound } from "../../api/errors.ts";
import { query } from "../../api/query.ts";
import { everyWorkspace, formerWorkspace } from "../../api/workspaces.ts";
import { ActionDialog } from "../../form/ActionDialog.tsx";
import { counted, formatBytes, formatCount, formatDay, formatLongDay, formatUsd } from "../../format.ts";
import { paths } from "../../paths.ts";
import { PageHeader } from "../../shell/PageHeader.tsx";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { Bars } from "../../ui/Bars.tsx";
import { Button } from "../../ui/Button.tsx";
import { Facts } from "../../ui/Facts.tsx";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { Meter } from "../../ui/Meter.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Time } from "../../ui/Time.tsx";
import { toast } from "../../ui/toast.ts";

const days = 30;
const refreshEveryMs = 30_000;
const emptyId = "empty-cache";

/** What a workspace's durable embedding cache holds, and what it saved. */
export function CachePage() {
  const { id = "" } = useParams({ strict: false });
  const { path } = useWorkspace();
  const { reason } = useReachable();
  const [emptying, setEmptying] = useState(false);
  const workspaces = useQuery(everyWorkspace);
  const known = workspaces.data?.find((one) => one.id === id || one.slug === id);
  // others may have given it another slug since
  const reference = known?.id ?? (workspaces.data && formerWorkspace(id)?.id) ?? id;
  const name = known?.name ?? workspaces.data?.find((one) => one.id === reference)?.name;
  const cache = useQuery({
    ...query(getEmbeddingCache, { params: { id: reference }, query: { last: String(days) } }),
    refetchInterval: refreshEveryMs,
  });
  const isMissing = isNotFound(cache.error);
  const title = name === undefined ? "Embedding cache" : `Embedding cache of ${name}`;
  return (
    <>
      <PageHeader
        title={isMissing ? "It no longer exists" : title}
        sub={
          <span className="flex gap-3">
            <Link to={paths.workspaces(path)} className={linkTextClass}>
              All workspaces
            </Link>
            {!isMissing && (
              <Link to={paths.editWorkspace(path, id)} className={linkTextClass}>
                Its settings
              </Link>
            )}
          </span>
        }
        actions={
          cache.data?.data.enabled === true && (
            <Button
              id={emptyId}
              disabledReason={reason ?? (cache.data.data.entries === 0 ? "It is empty." : undefined)}
              onClick={() => setEmptying(true)}
            >
              Empty the cache
            </Button>
          )
        }
      />
      {isMissing ? (
        <p className="px-8 pt-3 text-fg-2 max-md:px-4">No workspace has this slug or id. It was renamed or deleted.</p>
      ) : (
        <>
          <p className="max-w-160 px-8 pt-2 pb-4 text-13 text-fg-2 max-md:px-4">
            The vectors of embedded texts are stored, encrypted, and equal inputs of later calls are answered from there
            instead of a provider. Texts are not stored: an entry is found by a keyed hash of its text.
          </p>
          <QueryBoundary query={cache} what="the embedding cache" skeleton={<Waiting />}>
            {({ data }) => (
              <div className="grid gap-8 px-8 pb-8 max-md:px-4">
                <Held cache={data} />
                <Saved savings={data.savings} />
              </div>
            )}
          </QueryBoundary>
        </>
      )}
      {emptying && (
        <ActionDialog
          endpoint={clearEmbeddingCache}
          input={{ params: { id: reference } }}
          title={`Empty the embedding cache of ${name ?? id}`}
          description="Its vectors are deleted, and the next calls go to their providers and are billed. The cache stays on."
          confirmLabel="Empty the cache"
          onDone={({ data }) => {
            toast({ message: `${counted(data.entries, "vector")} deleted.` });
            setEmptying(false);
          }}
          onCancel={() => setEmptying(false)}
          finalFocus={() => document.getElementById(emptyId)}
        />
      )}
    </>
  );
}

function Held({ cache }: { cache: EmbeddingCacheRecord }) {
  const now = useNow(60_000);
  const { enabled, since, entries, bytes, max_bytes: most, max_age_days: age } = cache;
  if (!enabled || most === null || since === null) {
    return <p className="text-fg-2">It is off. To turn it on, set its size in the workspace's settings.</p>;
  }
  return (
    <section aria-label="What it holds" className="grid max-w-128 gap-3">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="text-16 font-semibold">{counted(entries, "vector")}</span>
        <span className="text-fg-3">
          {formatBytes(bytes)} of {formatBytes(most)}
        </span>
      </p>
      <Meter
        fraction={bytes / most}
        bars={128}
        label="Room taken"
        valueText={`${formatBytes(bytes)} of ${formatBytes(most)}`}
        className="w-full"
      />
      <Facts
        facts={[
          {
            term: "On or emptied since",
            value: (
              <>
                <Time iso={since} now={now} show="full" /> UTC
              </>
            ),
          },
          { term: "Kept for", value: age === null ? "As long as there is room" : counted(age, "day") },
          { term: "When it is full", value: "The least recently used entries are deleted first" },
        ]}
      />
    </section>
  );
}

function Saved({ savings }: { savings: EmbeddingCacheRecord["savings"] }) {
  const now = useNow(60_000);
  const { saved, inputs, calls } = savings;
  const sentence =
    inputs === 0
      ? `In the last ${days} days it answered no input.`
      : `In the last ${days} days it answered ${counted(inputs, "input")}, which would have cost ${formatUsd(saved)}; ${counted(calls, "call")} needed no provider at all.`;
  return (
    <section aria-label="What it saved" className="grid gap-3">
      <Bars
        title="Inputs from the cache per day"
        sentence={sentence}
        unit="Day"
        format={formatCount}
        bars={savings.days.map(({ date, inputs: value }, index) => ({
          label: formatLongDay(new Date(date), "UTC"),
          value,
          ...(index % 7 === 0 && index < days - 5 && { tick: formatDay(new Date(date), "UTC", now) }),
        }))}
        height={160}
      />
      <p className="max-w-160 text-12 text-fg-3">
        As recorded with each call. The price is that of the first provider that could have served the input; an input
        of a batch has its share of the tokens that the provider counted for the batch.
      </p>
    </section>
  );
}

function Waiting() {
  return (
    <div className="grid gap-4 px-8 max-md:px-4">
      <Skeleton width={240} height={24} />
      <Skeleton width={320} height={80} />
      <Skeleton height={240} />
    </div>
  );
}
