import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { DestinationRecord } from "#contract/destinations.ts";
import { destinationHealth } from "../../api/destinations.ts";
import { useReachable } from "../../api/connectivity.ts";
import { paths } from "../../paths.ts";
import { useListCursor } from "../../shell/list-cursor.ts";
import { useShortcut } from "../../shell/shortcuts.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { useFollowCursor } from "../../table/row-cursor.ts";
import { Kbd } from "../../ui/Kbd.tsx";
import { UpdatedAgo } from "../../shell/UpdatedAgo.tsx";
import { PartialNotice } from "../../ui/Region.tsx";
import { Skeleton, SkeletonTwo } from "../../ui/Skeleton.tsx";
import { DestinationRow } from "./DestinationRow.tsx";
import { switchId } from "./DestinationSwitch.tsx";
import { rowGrid } from "./row-grid.ts";

const heads = [
  "Name",
  "Health, last sent",
  "Delivered, failed, 24 h",
  "Not sent, 24 h",
  "What leaves",
  "Rate",
  "Sending",
];

function Head() {
  return (
    <div
      aria-hidden="true"
      className={`${rowGrid} h-[30px] border-b border-line-2 text-12 text-fg-3 @max-[1100px]:hidden`}
    >
      <span />
      {heads.map((head) => (
        <span key={head} className={head === "Rate" ? "text-right" : undefined}>
          {head}
        </span>
      ))}
      <span />
    </div>
  );
}

/** One row of 64 px for each destination; a failing one opens by itself. */
export function DestinationList({ destinations }: { destinations: readonly DestinationRecord[] }) {
  const navigate = useNavigate();
  const { path, id, name } = useWorkspace();
  const { reachable } = useReachable();
  const health = useQuery(destinationHealth(id ?? ""));
  const cursor = useListCursor(destinations.map((one) => one.id));
  const [list, setList] = useState<HTMLElement | null>(null);
  useFollowCursor(list, cursor);
  const open = () => cursor.current !== null && void navigate({ to: paths.destination(path, cursor.current) });
  // the switch itself decides whether to ask first
  const toggle = () => document.getElementById(switchId(cursor.current ?? ""))?.click();
  useShortcut("e", "Edit the row's destination", open);
  useShortcut(" ", "Switch the row's destination on or off", toggle, reachable && cursor.current !== null);
  const byId = new Map(health.isError ? [] : health.data?.map((one) => [one.destination_id, one]));
  return (
    <div className="@container">
      {health.isError && (
        <PartialNotice onRetry={() => void health.refetch()} retrying={health.isFetching}>
          Delivery health did not load.
        </PartialNotice>
      )}
      <Head />
      <ul ref={setList} aria-label="Destinations">
        {destinations.map((one) => (
          <DestinationRow
            key={one.id}
            destination={one}
            health={byId.get(one.id)}
            loading={health.isPending}
            current={cursor.current === one.id}
          />
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-1 px-8 py-2.5 text-12 text-fg-3 max-md:px-4">
        <span>
          {destinations.length} {destinations.length === 1 ? "destination" : "destinations"} in {name}
        </span>
        <span>Times in UTC</span>
        {health.data && <UpdatedAgo at={health.dataUpdatedAt} />}
        <span className="ml-auto flex gap-4 max-md:hidden">
          <span>
            <Kbd>Space</Kbd> switch
          </span>
          <span>
            <Kbd>E</Kbd> edit
          </span>
        </span>
      </div>
    </div>
  );
}

export function DestinationListSkeleton() {
  return (
    <div className="@container">
      <Head />
      {[104, 132, 96, 120].map((width) => (
        <div key={width} className={`${rowGrid} h-16 border-b border-line`}>
          <Skeleton width={28} height={28} />
          <SkeletonTwo width={width} />
          <SkeletonTwo width={84} />
          <Skeleton width={94} height={24} />
          <SkeletonTwo width={96} />
          <SkeletonTwo width={108} />
          <SkeletonTwo width={72} />
          <Skeleton width={56} />
        </div>
      ))}
    </div>
  );
}
