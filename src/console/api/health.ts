import { queryOptions } from "@tanstack/react-query";
import { getHealth } from "#contract/health.ts";
import { call } from "./call.ts";
import { setServerClock, stampMs } from "./clock.ts";

/** The gateway's version and how long one round trip takes, in whole milliseconds. Renewed every 5 s, so that a page at rest notices, too, that the gateway is away. */
export const health = queryOptions({
  queryKey: [getHealth.name],
  queryFn: async ({ signal }) => {
    const askedAt = stampMs();
    const startedAt = performance.now();
    const answer = await call(getHealth, {}, { signal });
    const latencyMs = Math.max(1, Math.round(performance.now() - startedAt));
    setServerClock(new Date(answer.now), askedAt);
    return { version: answer.version, latencyMs };
  },
  refetchInterval: 5_000,
});
