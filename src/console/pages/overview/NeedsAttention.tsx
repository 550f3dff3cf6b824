import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Output } from "#contract/endpoint.ts";
import type { getOverview } from "#contract/overview.ts";
import { minuteMs } from "#contract/time.ts";
import { useNow } from "../../api/clock.ts";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { buttonClass } from "../../ui/Button.tsx";
import { SkeletonTwo } from "../../ui/Skeleton.tsx";
import { StatusShape } from "../../ui/Status.tsx";
import { attention, type Attention } from "./attention.ts";

/** What needs attention, each item with the one thing to do about it. */
export function NeedsAttention({ read }: { read: UseQueryResult<Output<typeof getOverview>> }) {
  const now = useNow(minuteMs);
  const found = read.data === undefined ? [] : attention(read.data.data.attention, now);
  return (
    <>
      <h2 className="flex items-baseline gap-2 border-b border-line-2 pb-2 text-16">
        Needs attention
        {found.length > 0 && <span className="text-13 font-normal text-fg-3">{found.length}</span>}
      </h2>
      <QueryBoundary query={read} what="what needs attention" skeleton={<WaitingAttention />}>
        {() =>
          found.length === 0 ? (
            <p className="py-4 text-13 text-fg-2">
              Nothing. No provider or destination is failing, no watched model drifted, calls are not being refused in
              large numbers, no key or budget is near its limit, and no key is about to expire or has gone unused for 30
              days.
            </p>
          ) : (
            <ul>
              {found.map((one) => (
                <Item key={one.id} attention={one} />
              ))}
            </ul>
          )
        }
      </QueryBoundary>
    </>
  );
}

function Item({ attention: { kind, title, detail, action } }: { attention: Attention }) {
  const { path } = useWorkspace();
  return (
    <li className="flex items-start gap-3 border-b border-line py-3">
      <StatusShape
        kind={kind}
        className={`mt-1.5 ${kind === "trouble" ? "text-bad-fg" : kind === "warning" ? "text-warn-fg" : "text-fg-3"}`}
      />
      <div className="min-w-0 grow">
        <p className="font-semibold break-words">{title}</p>
        <p className="text-12 break-words text-fg-2">{detail}</p>
      </div>
      <Link
        to={action.to(path)}
        {...(action.search && { search: action.search })}
        className={buttonClass({ size: "sm" })}
        aria-label={`${action.label}: ${title}`}
      >
        {action.label}
      </Link>
    </li>
  );
}

/** The places of a few rows. */
export function WaitingAttention() {
  return (
    <div className="grid">
      {[0, 1, 2].map((row) => (
        <div key={row} className="flex h-16 items-center border-b border-line">
          <SkeletonTwo width={180 - row * 24} />
        </div>
      ))}
    </div>
  );
}
