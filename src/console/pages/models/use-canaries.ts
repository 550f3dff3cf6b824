import { useQuery } from "@tanstack/react-query";
import { listCanaries } from "#contract/canaries.ts";
import { minuteMs } from "#contract/time.ts";
import { query } from "../../api/query.ts";

/** How often a run is looked for: seldom, and soon again while one is under way. */
export const readEveryMs = (running: boolean) => (running ? 1_500 : minuteMs);

/** The canaries of a model. */
export function useCanaries(model: string) {
  return useQuery({
    ...query(listCanaries, { query: { model } }),
    refetchInterval: ({ state }) => readEveryMs(state.data?.data.some(({ running }) => running) === true),
  });
}
