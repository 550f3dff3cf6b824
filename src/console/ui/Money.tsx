import { formatUsd, moneyParts } from "../format.ts";
import { cx } from "./cx.ts";
import { tip } from "./Tooltip.tsx";

export interface MoneyProps {
  usd: number;
  /** Every digit down to a nano-dollar, for what is left of a limit. */
  exact?: boolean | undefined;
  /** Nothing used reads "–". */
  dash?: boolean | undefined;
  /** In a coloured place the cents keep its colour. */
  inherit?: boolean | undefined;
  className?: string | undefined;
}

/** An amount of USD: dollars in ink, cents stepped back, what is under a cent with all its digits; the full figure in the tooltip. */
export function Money({ usd, exact = false, dash, inherit, className }: MoneyProps) {
  if (dash && usd === 0) return <span className={cx("text-fg-3", className)}>–</span>;
  const { dollars, cents } = moneyParts(usd, { exact });
  const full = formatUsd(usd, { exact: true });
  return (
    <span className={cx("tabular-nums whitespace-nowrap", className)} {...tip(full === dollars + cents ? null : full)}>
      {dollars}
      {cents && <span className={inherit ? undefined : "text-fg-3"}>{cents}</span>}
    </span>
  );
}
