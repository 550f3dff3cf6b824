import type { Actor, Context, Deps } from "../domain/context.ts";

/** What a verb gets when a management key calls it, or whoever is given. */
export function makeContext(
  deps: Deps,
  actor: Actor = { kind: "management", keyHash: "0".repeat(64), name: "ana" },
): Context {
  return { ...deps, actor, requestId: "request-1", sourceIp: "192.0.2.1" };
}
