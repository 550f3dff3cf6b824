import * as z from "zod/mini";
import { ProviderPreferences } from "./routing.ts";

/** `provider` of a call that makes or reads media. */
export const MediaPreferences = z.extend(ProviderPreferences, {
  /** members for one provider alone, by its slug; those of providers that do not serve the call are dropped */
  options: z.optional(z.nullable(z.record(z.string().check(z.maxLength(100)), z.looseObject({})))),
});
export type MediaPreferences = z.infer<typeof MediaPreferences>;
