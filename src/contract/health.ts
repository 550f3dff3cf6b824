import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { Instant } from "./time.ts";

export const getHealth = endpoint({
  name: "getHealth",
  method: "GET",
  path: "/health",
  tag: "System",
  summary: "Is the process alive, and since when",
  description:
    "Liveness: answers as long as the process does, whatever the store does. The console probes it, and reads the server's clock from it.",
  auth: "none",
  returns: z.object({ status: z.literal("ok"), version: z.string(), now: Instant }),
  errors: [500],
});

/**
 * What is broken while calls are still served: every provider of a model is held back, a destination fails, or one of
 * several worker processes is being replaced.
 */
const Degradation = z.enum(["provider_unavailable", "destination_failing", "worker_missing"]);
export type Degradation = z.infer<typeof Degradation>;

const Readiness = z.object({ status: z.enum(["ready", "degraded"]), reasons: z.optional(z.array(Degradation)) });
export type Readiness = z.infer<typeof Readiness>;

export const getReadiness = endpoint({
  name: "getReadiness",
  method: "GET",
  path: "/ready",
  tag: "System",
  summary: "Can the process do its work",
  description:
    "Readiness: 503 while the store does not answer, while it takes no commits, and while the gateway stops. `degraded` with its reasons where calls are served but a provider or a destination fails.",
  auth: "none",
  returns: Readiness,
  errors: [500, 503],
});
