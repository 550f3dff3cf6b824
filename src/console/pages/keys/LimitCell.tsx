import type { KeyRecord } from "#contract/keys.ts";
import { moneyParts } from "../../format.ts";
import { cx } from "../../ui/cx.ts";
import { Meter } from "../../ui/Meter.tsx";
import { Money } from "../../ui/Money.tsx";
import { resetLine } from "./resets.ts";
import { usedFraction } from "./status.ts";

/** What is left of the limit: bars, figures, and when it is whole again. */
export function LimitCell({ limited, now }: { limited: KeyRecord; now: Date }) {
  const fraction = usedFraction(limited);
  if (fraction === null || limited.limit === null) return <span className="text-fg-3">No limit</span>;
  const off = limited.status === "disabled" || limited.status === "expired";
  const tone = off ? undefined : fraction >= 1 ? "text-bad-fg" : fraction >= 0.8 ? "text-warn-fg" : undefined;
  return (
    <div className="grid grid-cols-[118px_62px_auto] items-center gap-x-2 leading-4">
      <Meter fraction={fraction} tone={off ? "off" : "auto"} />
      <span className={cx("text-right", tone)}>
        <Money usd={limited.limit_remaining ?? 0} exact inherit={tone !== undefined} />
      </span>
      <span className="text-fg-3">of {whole(limited.limit)}</span>
      <span className="col-span-3 text-11 text-fg-3 group-data-[density=compact]/table:hidden">
        {resetLine(limited.limit_reset, now)}
      </span>
    </div>
  );
}

/** `$400` rather than `$400.00`: the limit is beside the figure that matters. */
function whole(usd: number): string {
  const { dollars, cents } = moneyParts(usd, { exact: true });
  return cents === ".00" ? dollars : dollars + cents;
}
