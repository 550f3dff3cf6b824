import type { Context } from "./context.ts";
import { Refusal } from "./refusal.ts";

/** Management is for management keys, and for what the program does by itself. */
export function refuseUnlessManagement(ctx: Context): void {
  if (ctx.actor.kind === "ordinary") {
    throw new Refusal("permission_denied", "Only management keys can perform this operation");
  }
}
