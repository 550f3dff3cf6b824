import { Link } from "@tanstack/react-router";
import { isConversation } from "#contract/api-type.ts";
import type { CallRecord } from "#contract/calls.ts";
import { counted, formatLatency } from "../../format.ts";
import { paths } from "../../paths.ts";
import { callStatus } from "../../shell/call-status.ts";
import type { Column } from "../../table/column.ts";
import { TimeCell } from "../../table/TimeCell.tsx";
import { cx } from "../../ui/cx.ts";
import { Money } from "../../ui/Money.tsx";
import { Status } from "../../ui/Status.tsx";
import { tip } from "../../ui/Tooltip.tsx";
import { isVideoJob } from "./attempt-times.ts";
import { apiNames, tokenLabel, triesOf, unitLabel } from "./labels.ts";

export interface CallContext {
  /** as written in the address */
  workspace: string;
}

/** Where there is no room for the column, its cells say theirs under another one's. */
const wideOnly = "@max-[1000px]:hidden";
const narrowOnly = "@min-[1000px]:hidden";

/** The table's least width, so that the column that takes what the others leave has room too. */
export const callsWidth = "min-w-170";

/** The longest model id takes what the other columns leave, and hides none of them. */
export const callColumns: readonly Column<CallRecord, CallContext>[] = [
  {
    id: "created_at",
    head: "When",
    zoned: true,
    width: 240,
    fixed: true,
    skeleton: { width: 148, two: true },
    cell: (call, { workspace }) => (
      <>
        <Link to={paths.call(workspace, call.id)} className="block leading-4 hover:underline" {...tip(call.id)}>
          <TimeCell iso={call.created_at} show="exact" />
          <span className="sr-only">, open the call</span>
        </Link>
        <span className="block truncate font-mono text-[10.5px]/[14px] text-fg-3">
          {/* ids of one minute begin alike: a narrow column leaves out the beginning */}
          <span className="max-md:hidden">{call.id.slice(0, -18)}</span>
          {call.id.slice(-18)}
        </span>
      </>
    ),
  },
  {
    id: "model",
    head: "Model and provider",
    skeleton: { width: 148, two: true },
    cell: (call) => {
      const tries = triesOf(call);
      const passedOver = call.attempts.filter(({ error }) => error !== null).length;
      return (
        <>
          <div className="truncate leading-4" {...tip(call.model)}>
            {call.model}
          </div>
          <div dir="auto" className="truncate text-11 tracking-open text-fg-3">
            {call.provider_name ?? "none reached"}
            {isConversation(call.api_type) && call.api_type !== "completions" && `, ${apiNames[call.api_type]}`}
            {call.status < 400 && passedOver > 0 && `, ${passedOver} passed over`}
            {call.status >= 400 && tries > 1 && `, the last of ${tries} tried`}
            {call.preset !== null && `, preset ${call.preset} ${call.preset_version}`}
            <span className={narrowOnly}>, by {call.key_name ?? "a deleted key"}</span>
          </div>
        </>
      );
    },
  },
  {
    id: "key",
    head: "Key",
    className: cx("w-[18%] truncate", wideOnly),
    skeleton: { width: 96 },
    cell: (call, { workspace }) =>
      call.key_name === null ? (
        <span className="text-fg-3">deleted, {call.key_hash.slice(0, 8)}…</span>
      ) : (
        <Link
          to={paths.key(workspace, call.key_hash)}
          dir="auto"
          className="inline-block max-w-full truncate align-bottom hover:underline"
          {...tip(call.key_name)}
        >
          {call.key_name}
        </Link>
      ),
  },
  {
    id: "status",
    head: "Status",
    width: 160,
    className: "@max-[800px]:w-36",
    cell: (call) => <Status {...callStatus(call)} className="max-w-full [&>:last-child]:truncate" />,
  },
  {
    id: "tokens",
    head: "Tokens",
    width: 128,
    figures: true,
    className: wideOnly,
    cell: (call) =>
      isVideoJob(call) ? (
        <span className="text-fg-3">–</span>
      ) : (
        (tokenLabel(call) ?? (
          <span
            className="rounded-1 text-fg-3"
            tabIndex={0}
            {...tip("Unknown: no provider said how many tokens it read")}
          >
            –
          </span>
        ))
      ),
  },
  {
    id: "cost",
    head: "Cost",
    width: 128,
    figures: true,
    className: "@max-[800px]:w-28",
    cell: (call) => (
      <>
        {call.priced || call.cost > 0 ? (
          <Money usd={call.cost} dash focusable />
        ) : (
          <span className="text-fg-3">no price</span>
        )}
        <span className={cx("block text-11 text-fg-3", narrowOnly)}>{shortTokens(call)}</span>
      </>
    ),
  },
  {
    id: "duration",
    head: "Took",
    width: 96,
    figures: true,
    className: "@max-[700px]:w-20",
    cell: (call) => formatLatency(call.duration_ms),
  },
];

function shortTokens(call: CallRecord): string {
  const units = unitLabel(call);
  if (units !== null) return units;
  if (isVideoJob(call)) return "no video";
  const tokens = tokenLabel(call);
  if (tokens === null) return "tokens unknown";
  return isConversation(call.api_type) ? tokens : counted(call.prompt_tokens, "token");
}
