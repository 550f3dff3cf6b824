import type { DeliveryOutcome } from "#contract/forwarding.ts";
import { cx } from "../../ui/cx.ts";
import { StatusShape, type StatusKind } from "../../ui/Status.tsx";

const gates = ["Switch", "Keys", "Rules", "Sampling", "Delivery"] as const;

/** The gate at which each outcome leaves a call; past the last one it has arrived. */
const stops: Readonly<Record<DeliveryOutcome, number>> = {
  before_destination: 0,
  disabled: 0,
  not_in_allowlist: 1,
  filtered: 2,
  sampled_out: 3,
  waiting: 4,
  failed: 4,
  dead: 4,
  sent: gates.length,
};

/** The gates of a destination in the order of its pipeline, and where one call stopped. */
export function EventGates({ outcome, kind }: { outcome: DeliveryOutcome; kind: StatusKind }) {
  const stop = stops[outcome];
  return (
    <ol aria-label="Gates" className="grid grid-cols-5 py-1 text-12">
      {gates.map((gate, at) => (
        <li key={gate} className="grid justify-items-start gap-1">
          <span aria-hidden="true" className="flex w-full items-center">
            <span className="grid size-3 shrink-0 place-items-center">
              {at === stop ? (
                <StatusShape kind={kind} />
              ) : (
                <span
                  className={cx(
                    "size-1.5 rounded-full",
                    at < stop ? "bg-accent forced-colors:bg-[CanvasText]" : "border border-line-2",
                  )}
                />
              )}
            </span>
            <span
              className={cx(
                "h-px grow",
                at + 1 >= gates.length
                  ? "invisible"
                  : at < stop
                    ? "bg-accent forced-colors:bg-[CanvasText]"
                    : "bg-line-2",
              )}
            />
          </span>
          <span className={at === stop ? "font-semibold text-fg-1" : at < stop ? "text-fg-2" : "text-fg-3"}>
            {gate}
            <span className="sr-only">
              {at === stop ? ": it stopped here" : at < stop ? ": passed" : ": not reached"}
            </span>
          </span>
        </li>
      ))}
    </ol>
  );
}
