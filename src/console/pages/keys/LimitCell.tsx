import type { KeyRecord } from "#contract/keys.ts";
import { formatUsd, formatUsdShort } from "../../format.ts";
import { cx } from "../../ui/cx.ts";
import { Meter } from "../../ui/Meter.tsx";
import { Money } from "../../ui/Money.tsx";
import { tip } from "../../ui/Tooltip.tsx";
import { leftForList } from "./limit-left.ts";
import { resetLine } from "./resets.ts";
import { isWatchedOver, statusView, usedFraction } from "./status.ts";

/** "$99,999.99" left "of $999,999": longer amounts do not fit next to the bars. */
const longestBesideBars = { left: 10, limit: 8 };

/** What is left of the limit: bars, figures, and when it is whole again. */
export function LimitCell({ limited, now }: { limited: KeyRecord; now: Date }) {
  const fraction = usedFraction(limited);
  if (fraction === null || limited.limit === null) return <span className="text-fg-3">No limit</span>;
  const left = limited.limit_remaining ?? 0;
  const off = limited.status === "disabled" || limited.status === "expired";
  const tone = off ? undefined : fraction >= 1 ? "text-bad-fg" : fraction >= 0.8 ? "text-warn-fg" : undefined;
  const exact = isWatchedOver(limited)
    ? (statusView(limited, now).why ?? "")
    : `${formatUsd(left, { exact: true })} of ${whole(formatUsd(limited.limit, { exact: true }))} left`;
  const shown = leftForList(left);
  const limit =
    limited.limit === 0
      ? "$0.00"
      : whole(limited.limit < 0.0001 ? formatUsd(limited.limit, { exact: true }) : formatUsdShort(limited.limit));
  const least = shown.exact ? formatUsd(left, { exact: true }) : formatUsdShort(left);
  // both amounts in full need the room of the bars
  const barless = limit.length > longestBesideBars.limit || least.length > longestBesideBars.left;
  return (
    <div
      className={cx(
        "grid leading-4",
        barless ? "whitespace-nowrap" : "grid-cols-[78px_1fr] items-center gap-x-2 max-md:block",
      )}
    >
      {/* on a phone the figure is what there is room for */}
      {!barless && <Meter fraction={fraction} bars={20} tone={off ? "off" : "auto"} className="max-md:hidden" />}
      {/* the exact figures must be had without a pointer */}
      <span
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above
        tabIndex={0}
        className={cx("rounded-1", barless ? "flex w-fit gap-x-1" : "grid grid-cols-[70px_1fr] gap-x-1.5 max-md:flex")}
        {...tip(exact)}
      >
        <Money {...shown} inherit={tone !== undefined} className={cx(!barless && "text-right", tone)} />
        <span className="text-fg-3">of {limit}</span>
      </span>
      <span className={cx("text-11 text-fg-3 group-data-[density=compact]/table:hidden", !barless && "col-span-2")}>
        {limited.limit_watch_only && "only watched, "}
        {resetLine(limited.limit_reset, now)}
      </span>
    </div>
  );
}

/** `$400` rather than `$400.00`: the limit is next to the figure that matters. */
function whole(amount: string): string {
  return amount.replace(/\.00$/, "");
}
