import { queryOptions } from "@tanstack/react-query";
import { getHealth } from "#contract/system.ts";
import { call } from "./call.ts";
import { setServerClock } from "./clock.ts";

/** The gateway's version and how long one round trip takes, in whole milliseconds. Renewed every half minute. */
export const health = queryOptions({
  queryKey: [getHealth.name],
  queryFn: async ({ signal }) => {
    const askedAt = Date.now();
    const startedAt = performance.now();
    const answer = await call(getHealth, {}, { signal });
    const latencyMs = Math.max(1, Math.round(performance.now() - startedAt));
    setServerClock(new Date(answer.now), askedAt, Date.now());
    return { version: answer.version, latencyMs };
  },
  refetchInterval: 30_000,
});
