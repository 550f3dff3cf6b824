import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { now as clockNow, useNow } from "../../api/clock.ts";
import { everyWorkspace } from "../../api/workspaces.ts";
import { usePreference } from "../../preferences.ts";
import { useRecentKey } from "./recent-key.ts";
import type { KeyContext } from "./key-columns.tsx";
import type { KeysSearch } from "./search.ts";

/** What the cells need in addition to their row, the same object until something in it changes. */
export function useKeyContext(search: KeysSearch, workspace: string, readAt: number): KeyContext {
  const tick = useNow(30_000);
  // a row read since the last tick may hold an instant that is later than it
  // oxlint-disable-next-line react/exhaustive-deps -- both say that it is time to look at the clock again
  const now = useMemo(clockNow, [tick, readAt]);
  const zone = usePreference("zone");
  const workspaces = useQuery(everyWorkspace).data;
  const watched = useRecentKey()?.hash ?? null;
  const usage = search.usage ?? "week";
  return useMemo(
    () => ({
      now,
      usage,
      zone,
      workspace,
      workspaceNames: new Map(workspaces?.map(({ id, name }) => [id, name])),
      watched,
    }),
    [now, usage, zone, workspace, workspaces, watched],
  );
}
