import type { Actor, Context, Deps } from "../domain/context.ts";

/** A verb's context for a management key's call, or for the given caller. */
export function makeContext(
  deps: Deps,
  actor: Actor = { kind: "management", keyHash: "0".repeat(64), name: "ana" },
): Context {
  return { ...deps, actor, requestId: "request-1", sourceIp: "192.0.2.1" };
}
