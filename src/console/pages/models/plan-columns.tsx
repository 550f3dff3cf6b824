import { Link } from "@tanstack/react-router";
import type { ModelUsageByKey } from "#contract/activity.ts";
import { formatCount } from "../../format.ts";
import { paths } from "../../paths.ts";
import type { Column } from "../../table/column.ts";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { Money } from "../../ui/Money.tsx";
import { costAgain } from "./change-plan.ts";
import type { ModelRow } from "./offers.ts";

export interface PlanContext {
  /** as written in the address */
  workspace: string;
  /** the model to change to; undefined: none is chosen, or nobody offers it */
  to: ModelRow | undefined;
}

export const planColumns: readonly Column<ModelUsageByKey, PlanContext>[] = [
  {
    id: "key",
    head: "Key",
    width: 220,
    fixed: true,
    cell: ({ key_hash, name }, { workspace }) =>
      name === null ? (
        <span className="text-fg-3">{key_hash.slice(0, 12)}…, no longer known</span>
      ) : (
        <Link to={paths.key(workspace, key_hash)} className={linkTextClass}>
          <bdi>{name}</bdi>
        </Link>
      ),
  },
  {
    id: "tokens",
    head: "Tokens",
    width: 132,
    figures: true,
    cell: ({ prompt_tokens: tokens }) => formatCount(tokens),
  },
  { id: "requests", head: "Calls", width: 104, figures: true, cell: ({ requests }) => formatCount(requests) },
  {
    id: "spent",
    head: "Spent on them",
    width: 124,
    figures: true,
    cell: ({ usage, byok_usage: byok }) => <Money usd={usage + byok} dash focusable />,
  },
  {
    id: "again",
    head: "Again",
    width: 180,
    figures: true,
    cell: (key, { to }) => {
      const cost = to && costAgain(key, to);
      if (!cost) return <span className="text-fg-3">–</span>;
      return (
        <>
          <Money usd={cost.least} focusable />
          {cost.most !== cost.least && (
            <>
              {" "}
              to <Money usd={cost.most} focusable />
            </>
          )}
        </>
      );
    },
  },
];
