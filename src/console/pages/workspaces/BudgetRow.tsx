import { Link } from "@tanstack/react-router";
import type { BudgetInterval, BudgetRecord } from "#contract/budgets.ts";
import { useNow } from "../../api/clock.ts";
import { formatUsd } from "../../format.ts";
import { Button, buttonClass } from "../../ui/Button.tsx";
import { Meter } from "../../ui/Meter.tsx";
import { Money } from "../../ui/Money.tsx";
import { budgetLasts, budgetResets, intervalNames, intervalTitles } from "./budget-labels.ts";

interface BudgetRowProps {
  interval: BudgetInterval;
  budget: BudgetRecord | undefined;
  to: string;
  disabledReason: string | undefined;
  onRemove: () => void;
}

/** Where the focus goes back to from a budget's panel or dialog. */
export function budgetActionId(interval: string): string {
  return `budget-${interval}`;
}

/** One interval: what is spent of its budget, or that there is none. */
export function BudgetRow({ interval, budget, to, disabledReason, onRemove }: BudgetRowProps) {
  const now = useNow(30_000);
  const name = intervalNames[interval];
  const act = budget === undefined ? "Set" : "Change";
  return (
    <li className="flex min-h-22 flex-wrap items-center gap-x-6 gap-y-2 border-b border-line px-8 py-3 max-md:px-4">
      <h2 className="w-20 text-15">{intervalTitles[interval]}</h2>
      <div className="min-w-0 grow basis-80">
        {budget === undefined ? (
          <p className="text-fg-2">No {name}.</p>
        ) : (
          <div className="grid max-w-128 gap-1.5">
            <p className="flex flex-wrap items-baseline gap-x-2">
              <span className="text-16 font-semibold">
                <Money usd={budget.spent_usd} focusable />
              </span>
              <span className="text-fg-3">of {formatUsd(budget.limit_usd)} spent</span>
            </p>
            <Meter
              fraction={budget.spent_usd / budget.limit_usd}
              bars={128}
              label={`${name} spent`}
              valueText={`${formatUsd(budget.spent_usd)} of ${formatUsd(budget.limit_usd)} spent`}
              className="w-full"
            />
            <p className="text-12 text-fg-3">
              {budget.spent_usd >= budget.limit_usd && <span className="text-bad-fg">Calls get 403. </span>}
              {budgetResets(budget, now)} {budgetLasts(budget, now)}
            </p>
          </div>
        )}
      </div>
      <div className="flex items-center gap-2">
        {disabledReason === undefined ? (
          <Link id={budgetActionId(interval)} to={to} className={buttonClass({ size: "sm" })}>
            {act}
            <span className="sr-only"> the {name}</span>
          </Link>
        ) : (
          <Button size="sm" disabledReason={disabledReason}>
            {act}
            <span className="sr-only"> the {name}</span>
          </Button>
        )}
        {budget !== undefined && (
          <Button size="sm" variant="quiet" disabledReason={disabledReason} onClick={onRemove}>
            Remove<span className="sr-only"> the {name}</span>
          </Button>
        )}
      </div>
    </li>
  );
}
