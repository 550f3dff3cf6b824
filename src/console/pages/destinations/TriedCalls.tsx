import type { Output } from "#contract/endpoint.ts";
import type { tryDestination } from "#contract/forwarding.ts";
import { Status } from "../../ui/Status.tsx";
import { Time } from "../../ui/Time.tsx";

type TriedCall = Output<typeof tryDestination>["data"][number];

/** How many of the last calls pass the unsaved rules, and what would happen to each. */
export function TriedCalls({ tried, now }: { tried: readonly TriedCall[]; now: Date }) {
  const count = (wanted: TriedCall["outcome"]) => tried.filter(({ outcome }) => outcome === wanted).length;
  const kept = count("forwarded");
  const passed = kept + count("sampled_out");
  const foreign = count("not_in_allowlist");
  return (
    <>
      <p role="status" className="text-12 text-fg-2">
        {tried.length === 0
          ? "No calls yet."
          : `${passed} of the last ${tried.length} pass these rules${foreign > 0 ? `, ${foreign} are from other keys` : ""}${passed > kept ? `; sampling then keeps ${kept}` : ""}.`}
      </p>
      {tried.length > 0 && (
        <div
          tabIndex={0}
          role="region"
          aria-label="The last calls, scrolls"
          className="max-h-64 overflow-y-auto border-y border-line"
        >
          <table className="w-full text-12" aria-label="What would happen to the last calls">
            <thead className="sr-only">
              <tr>
                <th scope="col">Call</th>
                <th scope="col">When</th>
                <th scope="col">Model</th>
                <th scope="col">Outcome</th>
              </tr>
            </thead>
            <tbody>
              {tried.map((call) => (
                <tr key={call.generation_id} className="border-b border-line last:border-b-0">
                  <td className="mono max-w-28 truncate py-1 pr-3 text-fg-3">{call.generation_id}</td>
                  <td className="py-1 pr-3">
                    <Time iso={call.created_at} now={now} />
                  </td>
                  <td className="mono max-w-44 truncate py-1 pr-3">{call.model}</td>
                  <td className="py-1">
                    <Status
                      kind={call.outcome === "forwarded" || call.outcome === "sampled_out" ? "running" : "never"}
                      word={outcomeText(call)}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}

function outcomeText({ outcome, rule }: Pick<TriedCall, "outcome" | "rule">): string {
  if (outcome === "forwarded") return "passes";
  if (outcome === "sampled_out") return "passes, sampled out";
  if (outcome === "not_in_allowlist") return "another key";
  return rule === null ? "stopped by a rule" : `stopped by rule ${rule.rule + 1} of group ${rule.group + 1}`;
}
