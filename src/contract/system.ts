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

export const getReadiness = endpoint({
  name: "getReadiness",
  method: "GET",
  path: "/ready",
  tag: "System",
  summary: "Can the process do its work",
  description: "Readiness: 503 while the store does not answer.",
  auth: "none",
  returns: z.object({ status: z.literal("ready") }),
  errors: [500, 503],
});
