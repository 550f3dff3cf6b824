import { useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { KeyRecord } from "#contract/keys.ts";
import { useNow } from "../../api/clock.ts";
import { destinationHealth, everyDestination } from "../../api/destinations.ts";
import { paths } from "../../paths.ts";
import { Reading } from "../../shell/Reading.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { buttonClass } from "../../ui/Button.tsx";
import { PartialNotice } from "../../ui/Region.tsx";
import { SkeletonTwo } from "../../ui/Skeleton.tsx";
import { StatusShape } from "../../ui/Status.tsx";
import { attention, failingDestinations } from "./attention.ts";
import type { Attention } from "./attention.ts";
import { biggestSpenders, keysBy, keysRead } from "./key-reads.ts";

/** What somebody should look at, each with the one thing to do about it. */
export function NeedsAttention({ every }: { every: number | false }) {
  const { id } = useWorkspace();
  const now = useNow(60_000);
  const reads = useQueries({
    queries: [
      keysBy({ workspaceId: id, sort: "created_at", order: "desc", status: "over_limit", every }),
      keysBy({ workspaceId: id, sort: "expires_at", order: "asc", status: "active", every }),
      keysBy({ workspaceId: id, sort: "last_used_at", order: "asc", status: "active", every }),
      biggestSpenders(id, every),
    ],
  });
  const destinations = useQuery({ ...everyDestination(id ?? "all"), enabled: id !== undefined });
  const health = useQuery({ ...destinationHealth(id ?? "all"), enabled: id !== undefined, refetchInterval: every });
  const failed = reads.filter((read) => read.isError && read.data === undefined);
  const first = failed.length === reads.length ? reads[0] : (reads.find((read) => read.data !== undefined) ?? reads[0]);
  const keys = new Map<string, KeyRecord>();
  for (const read of reads) for (const key of read.data?.data ?? []) keys.set(key.hash, key);
  const names = new Map(destinations.data?.map((one) => [one.id, one.name]));
  const found = [...failingDestinations(health.data ?? [], names, now), ...attention([...keys.values()], now)];
  const partly = reads.some((read) => read.data !== undefined && read.data.next_cursor !== null);
  return (
    <>
      <h2 className="flex items-baseline gap-2 border-b border-line-2 pb-2 text-16">
        Needs attention
        {found.length > 0 && <span className="text-13 font-normal text-fg-3">{found.length}</span>}
      </h2>
      <Reading query={first} what="what needs attention" skeleton={<Waiting />}>
        {() => (
          <>
            {health.isError && health.data === undefined && (
              <PartialNotice onRetry={() => void health.refetch()} retrying={health.isFetching}>
                Whether destinations fail did not load.
              </PartialNotice>
            )}
            {failed.length > 0 && (
              <PartialNotice onRetry={() => failed.forEach((read) => void read.refetch())}>
                Some keys did not load, so something may be missing here.
              </PartialNotice>
            )}
            {found.length === 0 ? (
              <p className="py-4 text-13 text-fg-2">
                Nothing. No destination fails, and no key is over or near its limit, about to expire, or unused for 30
                days.
              </p>
            ) : (
              <ul>
                {found.map((one) => (
                  <Item key={one.id} attention={one} />
                ))}
              </ul>
            )}
            {partly && (
              <p className="pt-3 text-12 text-fg-3">
                Looked at the {keysRead} keys that spent most, expire first, or were used longest ago.
              </p>
            )}
          </>
        )}
      </Reading>
    </>
  );
}

function Item({ attention: { kind, title, detail, action } }: { attention: Attention }) {
  const { path } = useWorkspace();
  const look = buttonClass({ size: "sm" });
  return (
    <li className="flex items-start gap-3 border-b border-line py-3">
      <StatusShape
        kind={kind}
        className={`mt-1.5 ${kind === "trouble" ? "text-bad-fg" : kind === "warning" ? "text-warn-fg" : "text-fg-3"}`}
      />
      <div className="min-w-0 grow">
        <p className="font-semibold break-words">{title}</p>
        <p className="text-12 text-fg-2">{detail}</p>
      </div>
      {"destination" in action ? (
        <Link
          to={paths.destination(path, action.destination)}
          className={look}
          aria-label={`${action.label}: ${title}`}
        >
          {action.label}
        </Link>
      ) : "edit" in action ? (
        <Link to={paths.editKey(path, action.edit)} className={look} aria-label={`${action.label}: ${title}`}>
          {action.label}
        </Link>
      ) : (
        <Link
          to={paths.keys(path)}
          search={{ status: "active", sort: "last_used_at", order: "asc" }}
          className={look}
          aria-label={`${action.label}: ${title}`}
        >
          {action.label}
        </Link>
      )}
    </li>
  );
}

function Waiting() {
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
