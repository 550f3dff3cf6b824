import { Link } from "@tanstack/react-router";
import type { CallRecord } from "#contract/calls.ts";
import { useNow } from "../../api/clock.ts";
import { formatLatency } from "../../format.ts";
import { paths } from "../../paths.ts";
import { usePreference } from "../../preferences.ts";
import { callStatus } from "../../shell/call-status.ts";
import { ledger } from "../../shell/ledger.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Money } from "../../ui/Money.tsx";
import { Skeleton, SkeletonTwo } from "../../ui/Skeleton.tsx";
import { Status } from "../../ui/Status.tsx";
import { Time } from "../../ui/Time.tsx";
import { tokenWords } from "./words.ts";

function Head() {
  const zone = usePreference("zone");
  return (
    <thead>
      <tr>
        <th scope="col" className={`${ledger.head} ${ledger.fixed}`}>
          When, {zone === "utc" ? "UTC" : "local time"}
        </th>
        {["Model and provider", "Key", "Status"].map((title) => (
          <th key={title} scope="col" className={ledger.head}>
            {title}
          </th>
        ))}
        {["Tokens", "Cost", "Took"].map((title) => (
          <th key={title} scope="col" className={`${ledger.head} ${ledger.figures}`}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
  );
}

export function CallTable({ calls }: { calls: readonly CallRecord[] }) {
  return (
    <div className={ledger.scroll} role="region" aria-label="Calls, scrolls sideways" tabIndex={0}>
      <table className={ledger.table}>
        <Head />
        <tbody>
          {calls.map((call) => (
            <Row key={call.id} call={call} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ call }: { call: CallRecord }) {
  const { path } = useWorkspace();
  const zone = usePreference("zone");
  const now = useNow(60_000);
  const { kind, word } = callStatus(call);
  const passedOver = call.attempts.filter(({ error }) => error !== null).length;
  return (
    <tr className="hover:bg-bg-2">
      <th scope="row" className={`${ledger.cell} ${ledger.fixed} font-normal`}>
        <Link to={paths.call(path, call.id)} className="block leading-4 hover:underline">
          <Time iso={call.created_at} show="full" zone={zone} now={now} />
          <span className="sr-only">, open the call</span>
        </Link>
        <span className="block truncate font-mono text-[10.5px]/[14px] text-fg-3 md:max-w-56">{call.id}</span>
      </th>
      <td className={ledger.cell}>
        <div className="leading-4 whitespace-nowrap">{call.model}</div>
        <div className="text-11 tracking-open whitespace-nowrap text-fg-3">
          {call.provider_name ?? "nobody was reached"}
          {call.status < 400 && passedOver > 0 && `, ${passedOver} passed over`}
          {call.status >= 400 && call.attempts.length > 1 && `, the last of ${call.attempts.length} tried`}
        </div>
      </td>
      <td className={`${ledger.cell} max-w-56 truncate`}>
        {call.key_name === null ? (
          <span className="text-fg-3">deleted, {call.key_hash.slice(0, 8)}…</span>
        ) : (
          <Link to={paths.key(path, call.key_hash)} className="hover:underline">
            {call.key_name}
          </Link>
        )}
      </td>
      <td className={ledger.cell}>
        <Status kind={kind} word={word} />
      </td>
      <td className={`${ledger.cell} ${ledger.figures}`}>{tokenWords(call)}</td>
      <td className={`${ledger.cell} ${ledger.figures}`}>
        {call.priced ? <Money usd={call.cost} dash /> : <span className="text-fg-3">no price</span>}
      </td>
      <td className={`${ledger.cell} ${ledger.figures}`}>{formatLatency(call.duration_ms)}</td>
    </tr>
  );
}

export function CallTableSkeleton() {
  return (
    <table className={ledger.table}>
      <Head />
      <tbody>
        {[0, 1, 2, 3, 4, 5, 6, 7].map((row) => (
          <tr key={row}>
            {[0, 1].map((cell) => (
              <td key={cell} className={ledger.cell}>
                <SkeletonTwo width={148 - (row % 3) * 14} />
              </td>
            ))}
            {[96, 72, 36, 48, 48].map((width, cell) => (
              <td key={cell} className={ledger.cell}>
                <Skeleton width={width} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
