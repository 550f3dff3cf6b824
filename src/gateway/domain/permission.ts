import type { Context } from "./context.ts";
import { Refusal } from "./refusal.ts";

/** Management operations are for management keys, and for the program itself. */
export function refuseUnlessManagement(ctx: Context): void {
  if (ctx.actor.kind === "ordinary" || ctx.actor.kind === "directory") {
    throw new Refusal("permission_denied", "Only management keys can perform this operation");
  }
}
