import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { isConversation } from "#contract/api-type.ts";
import type { CallEntry, RefusedEntry } from "#contract/call-list.ts";
import type { CallRecord } from "#contract/calls.ts";
import { counted, formatCount, formatLatency } from "../../format.ts";
import { paths } from "../../paths.ts";
import { callStatus } from "../../shell/call-status.ts";
import { refusedMoney, refusedReason, refusedTimes, toldWords } from "../../shell/refused-messages.ts";
import { RefusalRemedy } from "../../shell/RefusalRemedy.tsx";
import type { Column } from "../../table/column.ts";
import { TimeCell } from "../../table/TimeCell.tsx";
import { cx } from "../../ui/cx.ts";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { Money } from "../../ui/Money.tsx";
import { Status } from "../../ui/Status.tsx";
import { tip } from "../../ui/Tooltip.tsx";
import { isVideoJob } from "./attempt-times.ts";
import { apiNames, tokenLabel, triesOf, unitLabel } from "./labels.ts";
import { instantOf } from "./live-calls.ts";

export interface CallContext {
  /** as written in the address */
  workspace: string;
  now: Date;
  workspaceName: (id: string) => string;
}

/** Where there is no room for the column, its cells say theirs under another one's. */
const wideOnly = "@max-[1000px]:hidden";
const narrowOnly = "@min-[1000px]:hidden";
/** On a phone there are two columns, and the status is under the time. */
const notOnPhone = "max-md:hidden";

/** The table's least width, so that the column that takes what the others leave has room too. */
export const callsWidth = "min-w-170 max-md:min-w-0";

const second = "truncate text-11 tracking-open text-fg-3";

const when: Column<CallEntry, CallContext> = {
  id: "created_at",
  head: "When",
  zoned: true,
  width: 204,
  sort: "time",
  fixed: true,
  skeleton: { width: 148, two: true },
  cell: (entry, { workspace, now }) => (
    <>
      {entry.kind === "call" ? (
        <Link
          to={paths.call(workspace, entry.call.id)}
          className="block leading-4 hover:underline"
          {...tip(entry.call.id)}
        >
          <TimeCell iso={entry.call.created_at} show="exact" />
          <span className="sr-only">, open the call</span>
        </Link>
      ) : (
        <span className="block leading-4">
          <TimeCell iso={instantOf(entry)} show="exact" />
        </span>
      )}
      <span className="block truncate font-mono text-[10.5px]/[14px] text-fg-3 max-md:hidden">
        {entry.kind === "call" ? (
          entry.call.id
        ) : (
          <span {...tip(refusedTimes(entry.refused, now))}>{entry.refused.last_request_id}</span>
        )}
      </span>
      <span className="block text-11 md:hidden">
        <StatusOf entry={entry} withCount />
      </span>
    </>
  ),
};

const status: Column<CallEntry, CallContext> = {
  id: "status",
  head: "Status and reason",
  width: 184,
  className: cx("@max-[900px]:w-40", notOnPhone),
  skeleton: { width: 112, two: true },
  cell: (entry, { now }) => (
    <>
      <StatusOf entry={entry} />
      {entry.kind === "refused" && (
        <span className={cx("block pl-[17px]", second)} {...tip(refusedTimes(entry.refused, now))}>
          refused {entry.refused.count === 1 ? "once" : `${formatCount(entry.refused.count)} times`}
        </span>
      )}
    </>
  ),
};

function StatusOf({ entry, withCount = false }: { entry: CallEntry; withCount?: boolean }) {
  const times = withCount && entry.kind === "refused" && entry.refused.count > 1 ? ` ×${entry.refused.count}` : "";
  const found =
    entry.kind === "call"
      ? callStatus(entry.call)
      : { kind: "trouble" as const, word: `${refusedReason(entry.refused)}${times}` };
  return (
    <span className="block min-w-0" {...tip(found.word)}>
      <Status {...found} className="max-w-full leading-4 [&>:last-child]:truncate" />
    </span>
  );
}

const model: Column<CallEntry, CallContext> = {
  id: "model",
  head: "Model and provider",
  skeleton: { width: 148, two: true },
  cell: (entry, context) =>
    entry.kind === "call" ? <Served call={entry.call} {...context} /> : <Refused entry={entry} {...context} />,
};

function Served({ call, workspace }: { call: CallRecord } & CallContext) {
  const tries = triesOf(call);
  const passedOver = call.attempts.filter(({ error }) => error !== null).length;
  return (
    <>
      <div className="truncate leading-4">
        <Link to={paths.model(workspace, call.model)} className="hover:underline" {...tip(call.model)}>
          {call.model}
        </Link>
      </div>
      <div dir="auto" className={second}>
        {call.provider === null ? (
          "none reached"
        ) : (
          <Link to={paths.provider(workspace, call.provider)} className="hover:underline">
            {call.provider_name}
          </Link>
        )}
        {isConversation(call.api_type) && call.api_type !== "completions" && `, ${apiNames[call.api_type]}`}
        {call.status < 400 && passedOver > 0 && `, ${passedOver} passed over`}
        {call.status >= 400 && tries > 1 && `, the last of ${tries} tried`}
        {call.preset !== null && `, preset ${call.preset} ${call.preset_version}`}
        <span className={narrowOnly}>, by {call.key_name ?? "a deleted key"}</span>
        <span className="md:hidden">
          , <Cost call={call} />
        </span>
      </div>
    </>
  );
}

function Refused({ entry: { refused }, now }: { entry: RefusedEntry } & CallContext) {
  const why = refusedMoney(refused) ?? toldWords(refused.last_message, now);
  return (
    <>
      <div className="truncate leading-4 text-fg-2" {...tip(why)}>
        {why}
      </div>
      <div dir="auto" className={second}>
        no model was called<span className={narrowOnly}>, by {refused.key_name ?? "a deleted key"}</span>{" "}
        <RefusalRemedy of={refused} className={cx(linkTextClass, "text-11")} />
      </div>
    </>
  );
}

const key: Column<CallEntry, CallContext> = {
  id: "key",
  head: "Key",
  className: cx("w-[13%] truncate", wideOnly),
  skeleton: { width: 96 },
  cell: (entry, { workspace }) => {
    const { key_hash: hash, key_name: name } = entry.kind === "call" ? entry.call : entry.refused;
    return <KeyLink hash={hash} name={name} workspace={workspace} />;
  },
};

function KeyLink({ hash, name, workspace }: { hash: string; name: string | null; workspace: string }): ReactNode {
  if (name === null) return <span className="text-fg-3">deleted, {hash.slice(0, 8)}…</span>;
  return (
    <div dir="auto" className="truncate">
      <Link to={paths.key(workspace, hash)} className="hover:underline" {...tip(name)}>
        {name}
      </Link>
    </div>
  );
}

const workspaceOf: Column<CallEntry, CallContext> = {
  id: "workspace",
  head: "Workspace",
  width: 124,
  className: cx("truncate", wideOnly),
  skeleton: { width: 80 },
  cell: (entry, { workspaceName }) => {
    const name = workspaceName(entry.kind === "call" ? entry.call.workspace_id : entry.refused.workspace_id);
    return (
      <bdi className="block truncate text-fg-2" {...tip(name)}>
        {name}
      </bdi>
    );
  },
};

const none = <span className="text-fg-3">–</span>;

const tokens: Column<CallEntry, CallContext> = {
  id: "tokens",
  head: "Tokens",
  width: 120,
  sort: "tokens",
  figures: true,
  className: wideOnly,
  cell: (entry) => {
    if (entry.kind === "refused" || isVideoJob(entry.call)) return none;
    return (
      tokenLabel(entry.call) ?? (
        <span
          className="rounded-1 text-fg-3"
          tabIndex={0}
          {...tip("Unknown: no provider said how many tokens it read")}
        >
          –
        </span>
      )
    );
  },
};

const cost: Column<CallEntry, CallContext> = {
  id: "cost",
  head: "Cost",
  width: 104,
  sort: "cost",
  figures: true,
  className: cx("@max-[800px]:w-28", notOnPhone),
  cell: (entry) =>
    entry.kind === "refused" ? (
      none
    ) : (
      <>
        <Cost call={entry.call} />
        <span className={cx("block text-11 text-fg-3", narrowOnly)}>{shortTokens(entry.call)}</span>
      </>
    ),
};

function Cost({ call }: { call: CallRecord }) {
  return call.priced || call.cost > 0 ? (
    <Money usd={call.cost} dash focusable />
  ) : (
    <span className="text-fg-3">no price</span>
  );
}

const duration: Column<CallEntry, CallContext> = {
  id: "duration",
  head: "Took",
  width: 88,
  sort: "duration",
  figures: true,
  className: cx("@max-[700px]:w-20", notOnPhone),
  cell: (entry) => (entry.kind === "refused" ? none : formatLatency(entry.call.duration_ms)),
};

/** The longest model id takes what the other columns leave, and hides none of them. */
export const callColumns: readonly Column<CallEntry, CallContext>[] = [
  when,
  status,
  model,
  key,
  tokens,
  cost,
  duration,
];

/** Of calls of all workspaces. */
export const callColumnsOfAll: readonly Column<CallEntry, CallContext>[] = [
  when,
  status,
  model,
  key,
  workspaceOf,
  tokens,
  cost,
  duration,
];

function shortTokens(call: CallRecord): string {
  const units = unitLabel(call);
  if (units !== null) return units;
  if (isVideoJob(call)) return "no video";
  const label = tokenLabel(call);
  if (label === null) return "tokens unknown";
  return isConversation(call.api_type) ? label : counted(call.prompt_tokens, "token");
}
