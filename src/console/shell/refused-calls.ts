import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Output } from "#contract/endpoint.ts";
import { listRefusedCalls } from "#contract/refused-calls.ts";
import { hourMs, minuteMs, startOfUtcHour } from "#contract/time.ts";
import { useNow } from "../api/clock.ts";
import { query } from "../api/query.ts";
import { allWorkspaces } from "../paths.ts";

const refreshEveryMs = 30_000;

/** How far back refused calls can be listed; the gateway counts them for 30 days. */
export const refusedRanges = {
  "24h": { label: "24 h", hours: 24, words: "the last 24 hours" },
  "7d": { label: "7 d", hours: 168, words: "the last 7 days" },
  "30d": { label: "30 d", hours: 720, words: "the last 30 days" },
} as const;
export type RefusedRange = keyof typeof refusedRanges;

interface Wanted {
  workspaceId: string | undefined;
  keyHash?: string | undefined;
  status?: string | undefined;
  /** of this stretch of time and no other, ISO 8601 in UTC */
  since?: string | undefined;
  until?: string | undefined;
  /** false: not asked at all */
  enabled?: boolean;
}

export interface RefusedCallsRead {
  /** undefined while nothing was read */
  found: Output<typeof listRefusedCalls> | undefined;
  failed: boolean;
  /** what `found` is about */
  range: RefusedRange;
  /** what `found` is about, in words */
  words: string;
  /** the time was given: there is no range to choose */
  given: boolean;
  /** the user chose this range */
  chosen: boolean;
  choose: (range: RefusedRange) => void;
  refetch: () => void;
}

/**
 * The calls that were refused before they were made, one record for each key and reason: they are not on the ledger.
 * Those of the last 24 hours; where there were none, those of the last 30 days, so that "none" is never said too early.
 */
export function useRefusedCalls(wanted: Wanted): RefusedCallsRead {
  const { workspaceId, keyHash, status, since, until, enabled = true } = wanted;
  const given = since !== undefined || until !== undefined;
  const [chosen, choose] = useState<RefusedRange | null>(null);
  // cut to the hour: the read stays the same while its figures are renewed
  const hour = startOfUtcHour(useNow(minuteMs)).getTime();
  const reads = (range: RefusedRange) => ({
    ...query(listRefusedCalls, {
      query: {
        workspace_id: workspaceId ?? allWorkspaces,
        ...(keyHash !== undefined && { api_key_hash: keyHash }),
        ...(status !== undefined && { status }),
        // refused calls are counted by the minute, and the end of a range is not part of it
        ...(given && { since: since ?? new Date(0).toISOString() }),
        ...(until !== undefined && { until: new Date(Date.parse(until) - 1).toISOString() }),
        ...(!given && range !== "24h" && { since: new Date(hour - refusedRanges[range].hours * hourMs).toISOString() }),
      },
    }),
    refetchInterval: refreshEveryMs,
  });
  const asked = enabled && workspaceId !== undefined;
  const first = useQuery({ ...reads(chosen ?? "24h"), enabled: asked });
  const widened = !given && chosen === null && first.data?.total.calls === 0;
  const wide = useQuery({ ...reads("30d"), enabled: asked && widened });
  const read = widened ? wide : first;
  const range = widened ? "30d" : (chosen ?? "24h");
  return {
    // a read that is switched off still sees what another read cached
    found: enabled ? read.data : undefined,
    failed: enabled && read.isError && read.data === undefined,
    range,
    words: given ? "the chosen time" : refusedRanges[range].words,
    given,
    chosen: chosen !== null,
    choose,
    refetch: () => void read.refetch(),
  };
}
