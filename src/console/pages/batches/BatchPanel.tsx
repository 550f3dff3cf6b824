import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { type BatchRecord, batchDays, getBatch } from "#contract/batches.ts";
import { getKey } from "#contract/keys.ts";
import { dayMs, minuteMs } from "#contract/time.ts";
import { apiPath } from "../../api/base.ts";
import { callPath } from "../../api/call.ts";
import { useNow } from "../../api/clock.ts";
import { useReachable } from "../../api/connectivity.ts";
import { isNotFound } from "../../api/errors.ts";
import { query } from "../../api/query.ts";
import { formatCount, formatDuration } from "../../format.ts";
import { allWorkspaces, paths } from "../../paths.ts";
import { useClosePanel } from "../../shell/close-panel.ts";
import { ReadingPanel } from "../../shell/ReadingPanel.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button, buttonClass } from "../../ui/Button.tsx";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { type Fact, Facts } from "../../ui/Facts.tsx";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { Money } from "../../ui/Money.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { Panel } from "../../ui/Panel.tsx";
import { PartialNotice } from "../../ui/Region.tsx";
import { Status } from "../../ui/Status.tsx";
import { Time } from "../../ui/Time.tsx";
import { BatchBars } from "./BatchBars.tsx";
import { CancelBatchDialog, DeleteBatchDialog } from "./EndBatchDialog.tsx";
import { endpointName, iso, progressSentence } from "./labels.ts";
import { useBatchesSearch } from "./search.ts";
import { hasEnded, statusOf } from "./status.ts";
import { useBatch } from "./use-batch.ts";

/** One batch: how far it is, what it cost, and the way to its calls and results. */
export function BatchPanel() {
  const { path } = useWorkspace();
  const search = useBatchesSearch();
  const closePanel = useClosePanel();
  const close = () => closePanel(paths.batches(path), search);
  const { found } = useBatch();
  const [asking, setAsking] = useState<"cancel" | "delete" | null>(null);
  const { data: batch } = found;
  const isGone = batch === undefined && isNotFound(found.error);
  if (isGone || path === allWorkspaces) return <NoSuchBatch isAll={!isGone} onClose={close} />;
  if (batch === undefined) return <ReadingPanel title="Batch" noun="batch" found={found} onClose={close} />;
  return (
    <>
      <Panel title="Batch" onDismiss={close} outside="dismiss" footer={<Actions of={batch} onEnd={setAsking} />}>
        {found.isError && (
          <PartialNotice
            onRetry={isNotFound(found.error) ? undefined : () => void found.refetch()}
            retrying={found.isFetching}
          >
            {isNotFound(found.error) ? "The batch no longer exists." : "The batch could not be refreshed."}
          </PartialNotice>
        )}
        {batch.error !== null && (
          <Notice tone="bad" role="status">
            {batch.error.message}
          </Notice>
        )}
        <div className="grid grid-cols-1 gap-2">
          <Status {...statusOf(batch)} className="font-semibold" />
          <BatchBars of={batch} bars={60} height={16} className="h-auto w-full max-w-[238px]" />
          <p className="tabular-nums">{progressSentence(batch)}.</p>
          {batch.request_counts.failed > 0 && batch.status !== "failed" && (
            <p className="text-13 text-fg-2">
              {hasEnded(batch) ? "The results say" : "Once it has ended, its results will say"} why each of those
              failed.
            </p>
          )}
        </div>
        <BatchFacts of={batch} />
      </Panel>
      {asking === "cancel" && <CancelBatchDialog of={batch} onClose={() => setAsking(null)} />}
      {asking === "delete" && <DeleteBatchDialog onClose={() => setAsking(null)} onDeleted={close} />}
    </>
  );
}

function NoSuchBatch({ isAll, onClose }: { isAll: boolean; onClose: () => void }) {
  const title = isAll ? "A batch belongs to one workspace" : "It no longer exists";
  return (
    <Panel title={title} onDismiss={onClose} outside="dismiss">
      <p className="text-fg-2">
        {isAll
          ? "Open it from the list."
          : `No batch of this workspace has this id. It was deleted, its ${batchDays} days are over, or the address is wrong.`}
      </p>
    </Panel>
  );
}

function BatchFacts({ of: batch }: { of: BatchRecord }) {
  const now = useNow(minuteMs);
  const { id, endpoint, model, usage, created_at: created, finalized_at: ended, expires_at: expires } = batch;
  const time = (seconds: number) => (
    <>
      <Time iso={iso(seconds)} show="exact" now={now} focusable /> UTC
    </>
  );
  const facts: (Fact | false)[] = [
    {
      term: "Id",
      value: (
        <span className="flex items-center gap-1">
          <span className="mono break-all">{id}</span>
          <CopyButton text={id} label="Copy the batch's id" className="-my-1.5" />
        </span>
      ),
    },
    { term: "API", value: endpointName(endpoint) },
    { term: "Model", value: model === null ? "one for each request" : <span className="mono">{model}</span> },
    { term: "Key", value: <KeyName hash={batch.api_key_hash} /> },
    { term: "Created", value: time(created) },
    ended === null ? { term: "Expires", value: time(expires) } : { term: "Ended", value: time(ended) },
    ended !== null && {
      term: "Took",
      value: ended === created ? "less than 1 s" : formatDuration((ended - created) * 1_000),
    },
    ended !== null &&
      batch.status !== "failed" && { term: "Results until", value: time(ended + (batchDays * dayMs) / 1_000) },
    usage !== null && { term: "Input tokens", value: formatCount(usage.prompt_tokens) },
    usage !== null && { term: "Output tokens", value: formatCount(usage.completion_tokens) },
    { term: hasEnded(batch) ? "Charged" : "Charged so far", value: <Money usd={batch.cost ?? 0} exact /> },
    (batch.byok_cost ?? 0) > 0 && { term: "On your own key", value: <Money usd={batch.byok_cost ?? 0} exact /> },
  ];
  return <Facts facts={facts.filter((fact) => fact !== false)} className="text-13" />;
}

function KeyName({ hash }: { hash: string }) {
  const { path } = useWorkspace();
  const { data, error } = useQuery(query(getKey, { params: { hash } }));
  if (isNotFound(error)) return `deleted, ${hash.slice(0, 12)}…`;
  return (
    <Link to={paths.key(path, hash)} dir="auto" className={linkTextClass}>
      {data?.data.name ?? `${hash.slice(0, 12)}…`}
    </Link>
  );
}

interface ActionsProps {
  of: BatchRecord;
  onEnd: (how: "cancel" | "delete") => void;
}

function Actions({ of: batch, onEnd }: ActionsProps) {
  const { path } = useWorkspace();
  const { input } = useBatch();
  const { reachable, reason } = useReachable();
  const { id, status } = batch;
  const ended = hasEnded(batch);
  const why = reachable ? status === "cancelling" && "It is being canceled. Calls in flight are finished." : reason;
  const noResults = ended ? status === "failed" && "Its results can no longer be read." : "It has not ended yet.";
  return (
    <div className="flex flex-wrap items-center gap-2">
      {noResults === false && reachable ? (
        // the browser saves it as it comes: 50,000 answers do not have to fit into the page's memory
        <a
          href={apiPath(callPath(getBatch, input))}
          download={`${id}.json`}
          className={buttonClass({ variant: "primary" })}
        >
          Download results
        </a>
      ) : (
        <Button variant="primary" disabledReason={noResults === false ? reason : noResults}>
          Download results
        </Button>
      )}
      <Link to={paths.calls(path)} search={{ batch: id }} className={buttonClass()}>
        Show its calls
      </Link>
      <span className="grow" />
      <Button variant="danger" disabledReason={why} onClick={() => onEnd(ended ? "delete" : "cancel")}>
        {ended ? "Delete batch" : "Cancel batch"}
      </Button>
    </div>
  );
}
