import * as z from "zod/mini";
import { Instant } from "./time.ts";

/**
 * Why a key or a budget lasts until then: the `limit` is used up at the pace of this period, or the key's `expiry` comes
 * first. Without an instant: the limit is `spent` already; it is `not_at_this_pace` that it will be, for it resets before
 * or lasts more than a year; it is `too_early` in the period for a pace; `no_limit` refuses its calls; or the key has
 * `ended`, disabled or expired.
 */
export const LastsReason = z.enum(["limit", "expiry", "spent", "not_at_this_pace", "too_early", "no_limit", "ended"]);
export type LastsReason = z.infer<typeof LastsReason>;

/** Beyond the public API: until when it lasts at its pace. See docs/limits.md. */
export const lastsMembers = { lasts_until: z.nullable(Instant), lasts_reason: LastsReason };
