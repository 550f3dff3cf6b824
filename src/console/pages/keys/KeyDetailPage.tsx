import { useQuery, useQueryClient, type InfiniteData } from "@tanstack/react-query";
import { Link, Outlet, useChildMatches, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import type { Output } from "#contract/endpoint.ts";
import { getKey, listKeys, type KeyRecord } from "#contract/keys.ts";
import { useNow } from "../../api/clock.ts";
import { isNotFound } from "../../api/errors.ts";
import { query } from "../../api/query.ts";
import { useReachable } from "../../api/connectivity.ts";
import { allWorkspaces, paths } from "../../paths.ts";
import { useLeaveDeleted } from "../../shell/leave-deleted.ts";
import { PageHeader } from "../../shell/PageHeader.tsx";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { RefusedCalls } from "../../shell/RefusedCalls.tsx";
import { useRefusedCalls } from "../../shell/refused-calls.ts";
import { ShownTogether } from "../../shell/ShownTogether.tsx";
import { useShortcut } from "../../shell/shortcuts.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { buttonClass } from "../../ui/Button.tsx";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Status } from "../../ui/Status.tsx";
import { DangerZone } from "./DangerZone.tsx";
import { DeleteKeyDialog } from "./DeleteKeyDialog.tsx";
import { DisableKeyDialog } from "./DisableKeyDialog.tsx";
import { FirstSnippets } from "./FirstSnippets.tsx";
import { KeyAudit, useChangesKnown } from "./KeyAudit.tsx";
import { KeyCalls } from "./KeyCalls.tsx";
import { KeyDestinations } from "./KeyDestinations.tsx";
import { KeyGuardrails } from "./KeyGuardrails.tsx";
import { KeyFacts } from "./KeyFacts.tsx";
import { KeyLimit, useLimitKnown } from "./KeyLimit.tsx";
import type { Asked } from "./KeyMenu.tsx";
import { KeyUsage, useUsageKnown } from "./KeyUsage.tsx";
import { MadeKeys } from "./MadeKeys.tsx";
import { statusView } from "./status.ts";

/** One key: what it is, what it spent, what was done to it. The row that led here paints it at once. */
export function KeyDetailPage() {
  const { hash = "" } = useParams({ strict: false });
  const { path } = useWorkspace();
  const navigate = useNavigate();
  const { reachable } = useReachable();
  // a form in a panel over it keeps what it began with
  const alone = useChildMatches().length === 0;
  const read = useKeyRecord(hash, alone);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [deletedHere, setDeletedHere] = useState(false);
  const key = read.data?.data;
  const gone = isNotFound(read.error);
  useLeaveDeleted(gone && key !== undefined && alone && !deletedHere, key?.name, paths.keys(path));
  useShortcut(
    "e",
    "Edit the key",
    () => void navigate({ to: paths.editKey(path, hash) }),
    key !== undefined && reachable,
  );
  const afterDeleting = () => {
    setDeletedHere(true);
    void navigate({ to: paths.keys(path) });
  };

  if (gone && key === undefined) return <NoSuchKey hash={hash} />;
  return (
    <>
      <PageHeader
        title={key?.name ?? "API key"}
        sub={
          // a long name would push it away
          !read.isPending && (
            <span className="flex flex-wrap items-center gap-x-4">
              <Link to={paths.keys(path)} className={linkTextClass}>
                All keys
              </Link>
              {key && (gone ? <Status kind="off" word="Deleted" /> : <StatusNow of={key} />)}
            </span>
          )
        }
        actions={
          key && (
            <Link to={paths.editKey(path, hash)} className={buttonClass({ variant: "primary" })}>
              Edit
            </Link>
          )
        }
      />
      <QueryBoundary key={key && "known"} query={read} what="the key" skeleton={<Waiting />}>
        {({ data }) => (
          <>
            <KeyFacts of={data} />
            <Sections key={data.hash} of={data} onAsk={setAsked} />
          </>
        )}
      </QueryBoundary>
      {asked?.about === "disable" && <DisableKeyDialog asked={asked.key} onClose={() => setAsked(null)} />}
      {asked?.about === "delete" && (
        <DeleteKeyDialog asked={asked.key} onClose={() => setAsked(null)} onDeleted={afterDeleting} />
      )}
      <Outlet />
    </>
  );
}

/** The key's record, read again while the page is `alone`; until it is read, the row of a list that has it. */
function useKeyRecord(hash: string, alone: boolean) {
  const client = useQueryClient();
  return useQuery({
    ...query(getKey, { params: { hash } }),
    // somebody else may change or delete it
    refetchInterval: alone ? 15_000 : false,
    placeholderData: () => {
      const lists = client.getQueriesData<InfiniteData<Output<typeof listKeys>>>({ queryKey: [listKeys.name] });
      for (const [, list] of lists) {
        const row = list?.pages?.flatMap((page) => page.data).find((key) => key.hash === hash);
        if (row) return { data: row };
      }
      return undefined;
    },
  });
}

function StatusNow({ of: key }: { of: KeyRecord }) {
  const { kind, word, note, why } = statusView(key, useNow(30_000));
  return (
    <span className="flex flex-wrap items-center gap-x-3">
      <Status kind={kind} word={note ? `${word}, ${note}` : word} />
      {why !== null && <span className="text-fg-2">{why}</span>}
    </span>
  );
}

/** What is known about the key beyond its record; shown once it is known how much of it there is. */
function Sections({ of: key, onAsk }: { of: KeyRecord; onAsk: (asked: Asked) => void }) {
  const refused = useRefusedCalls({ workspaceId: allWorkspaces, keyHash: key.hash });
  const refusedKnown = refused.found !== undefined || refused.failed;
  const limitKnown = useLimitKnown(key);
  const usageKnown = useUsageKnown(key.hash);
  const changesKnown = useChangesKnown(key.hash);
  return (
    <ShownTogether ready={refusedKnown && limitKnown && usageKnown && changesKnown} skeleton={<WaitingSections />}>
      <RefusedCalls refused={refused} named={false} />
      <KeyLimit of={key} />
      <KeyAudit hash={key.hash} />
      <MadeKeys of={key} />
      <KeyUsage of={key} />
      <KeyCalls of={key} />
      <KeyCalls of={key} failed />
      <KeyGuardrails of={key} />
      <KeyDestinations of={key} />
      {key.last_used_at === null && (
        <section aria-labelledby="snippet-title" className="border-t border-line px-8 py-6 max-md:px-4">
          <h2 id="snippet-title" className="pb-2 text-15">
            A first call
          </h2>
          <div className="max-w-160">
            <FirstSnippets />
          </div>
        </section>
      )}
      <DangerZone of={key} onAsk={onAsk} />
    </ShownTogether>
  );
}

function NoSuchKey({ hash }: { hash: string }) {
  const { path } = useWorkspace();
  return (
    <>
      <PageHeader title="It no longer exists" />
      <p className="px-8 pt-3 text-fg-2 max-md:px-4">
        No key has the hash <span className="mono">{hash.slice(0, 12)}…</span>. It was deleted, or the address is wrong.{" "}
        <Link to={paths.keys(path)} className={`${linkTextClass} underline`}>
          Show all keys
        </Link>
      </p>
    </>
  );
}

function Waiting() {
  return (
    <>
      <div className="grid gap-4 px-8 py-5 max-md:px-4">
        <Skeleton width={420} />
        <Skeleton width={360} />
        <Skeleton width={480} />
        <Skeleton width={340} />
      </div>
      <WaitingSections />
    </>
  );
}

function WaitingSections() {
  return (
    <>
      <div className="grid gap-4 border-t border-line px-8 py-6 max-md:px-4">
        <Skeleton width={64} />
        <Skeleton width={512} height={80} />
      </div>
      <div className="grid gap-4 border-t border-line px-8 py-6 max-md:px-4">
        <Skeleton width={64} />
        <Skeleton height={280} />
      </div>
    </>
  );
}
