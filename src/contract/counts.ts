import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { queryWorkspace, Total } from "./page.ts";

/** What the console's sidebar counts. */
export const Counts = z.object({
  keys: Total,
  destinations: z.object({ total: z.int(), failing: z.int() }),
});
export type Counts = z.infer<typeof Counts>;

export const getCounts = endpoint({
  name: "getCounts",
  method: "GET",
  path: "/counts",
  tag: "Activity",
  summary: "Get how many keys and destinations there are",
  description: "And how many of the destinations fail. Beyond the public API.",
  auth: "management",
  query: z.strictObject({ workspace_id: queryWorkspace }),
  returns: z.object({ data: Counts }),
  errors: [400, 401, 403, 500],
});
