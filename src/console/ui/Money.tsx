import type { CSSProperties } from "react";
import { formatUsd, moneyParts } from "../format.ts";
import { cx } from "./cx.ts";
import { tip } from "./Tooltip.tsx";

export interface MoneyProps {
  usd: number;
  /** Every digit down to a nano-dollar, for what is left of a limit. */
  exact?: boolean | undefined;
  /** Nothing used reads "–". */
  dash?: boolean | undefined;
  /** In a colored place the cents keep its color. */
  inherit?: boolean | undefined;
  /** A tab stop where the figure is rounded, so that the exact one can be had without a pointer. */
  focusable?: boolean | undefined;
  className?: string | undefined;
}

/** A list writes at most a point and four digits. */
const maxCents = 5;

/**
 * An amount of USD as a list writes it: dollars in ink, cents stepped back; the exact figure in the tooltip.
 * In the cells of a table the points align.
 */
export function Money({ usd, exact = false, dash, inherit, focusable, className }: MoneyProps) {
  if (dash && usd === 0) return <span className={cx("text-fg-3", className)}>–</span>;
  const { dollars, cents, muted } = moneyParts(usd, { exact });
  const full = formatUsd(usd, { exact: true });
  const rounded = full !== dollars + cents;
  return (
    <span
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the exact figure must be had without a pointer
      tabIndex={focusable && rounded ? 0 : undefined}
      style={{ "--short": Math.max(0, maxCents - cents.length) } as CSSProperties}
      className={cx("money rounded-1 tabular-nums whitespace-nowrap", className)}
      {...tip(rounded && full)}
    >
      {dollars}
      {cents && <span className={muted && !inherit ? "text-fg-3" : undefined}>{cents}</span>}
    </span>
  );
}
