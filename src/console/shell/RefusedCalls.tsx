import { Link } from "@tanstack/react-router";
import type { RefusedCalls as Refused } from "#contract/refused-calls.ts";
import { useNow } from "../api/clock.ts";
import { paths } from "../paths.ts";
import { Segmented } from "../ui/Segmented.tsx";
import { Status } from "../ui/Status.tsx";
import { RefusalRemedy } from "./RefusalRemedy.tsx";
import { refusedRanges, type RefusedCallsRead, type RefusedRange } from "./refused-calls.ts";
import { refusedMoney, refusedReason, refusedSummary, refusedTimes, toldWords } from "./refused-messages.ts";
import { useWorkspace } from "./workspace.ts";

const choices = (Object.keys(refusedRanges) as RefusedRange[]).map((value) => ({
  value,
  label: refusedRanges[value].label,
}));

interface RefusedCallsProps {
  refused: RefusedCallsRead;
  /** false where the page is about one key already */
  named?: boolean;
}

/** Refused calls, one line for each key and reason. Nothing where there were none, unless somebody chose the range. */
export function RefusedCalls({ refused, named = true }: RefusedCallsProps) {
  const { found, failed, range, words, given, chosen, choose } = refused;
  if (failed) {
    return (
      <p role="status" className="px-8 py-3 text-12 text-warn-fg max-md:px-4">
        Refused calls did not load.
      </p>
    );
  }
  if (found === undefined || (found.total.calls === 0 && !chosen)) return null;
  const summary = refusedSummary(found, words);
  const list = <List of={found.data} named={named} />;
  const ranges = !given && (
    <Segmented label="Refused calls of the last" size="sm" choices={choices} value={range} onChange={choose} />
  );
  return (
    <section aria-label="Refused calls" className="px-8 py-3 max-md:px-4">
      <div className="flex flex-wrap items-center gap-3">
        <h2 className="mr-auto text-15">Refused calls</h2>
        {ranges}
      </div>
      <p className="pb-1 text-12 text-fg-3">{summary}</p>
      {list}
    </section>
  );
}

function List({ of: refused, named }: { of: readonly Refused[]; named: boolean }) {
  const now = useNow(30_000);
  return (
    <ul>
      {refused.map((one) => (
        <Item key={`${one.key_hash} ${one.reason} ${one.status}`} of={one} named={named} now={now} />
      ))}
    </ul>
  );
}

function Item({ of: one, named, now }: { of: Refused; named: boolean; now: Date }) {
  const { path } = useWorkspace();
  return (
    <li className="grid gap-0.5 border-b border-line py-2 last:border-b-0">
      <div className="flex flex-wrap items-baseline gap-x-4">
        <Status kind="trouble" word={refusedReason(one)} className="w-52" />
        {named && (
          <Link to={paths.key(path, one.key_hash)} className="min-w-0 wrap-anywhere hover:underline">
            {one.key_name === null ? "a deleted key" : <bdi>{one.key_name}</bdi>}
          </Link>
        )}
        <span className="min-w-0 wrap-anywhere tabular-nums">{refusedTimes(one, now)}</span>
        <RefusalRemedy of={one} />
      </div>
      <p className="text-12 wrap-anywhere text-fg-2">
        {refusedMoney(one) ?? toldWords(one.last_message, now)}{" "}
        <span className="mono text-fg-3">{one.last_request_id}</span>
      </p>
    </li>
  );
}
