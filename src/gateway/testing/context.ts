import type { CreateWorkspaceBody } from "#contract/workspaces.ts";
import type { Actor, Context, Deps } from "../domain/context.ts";
import type { LedgerEntry } from "../domain/ledger/entry.ts";
import * as workspaces from "../domain/workspaces/workspaces.ts";
import { makeClock } from "./clock.ts";
import type { TestGateway } from "./gateway.ts";
import { commitCallsOf } from "./ledger-calls.ts";

/** A verb's context for a management key's call, or for the given caller. */
export function makeContext(
  deps: Deps,
  actor: Actor = { kind: "management", keyHash: "0".repeat(64), name: "ana" },
): Context {
  return { ...deps, actor, requestId: "request-1", sourceIp: "192.0.2.1" };
}

let made = 0;

/** A context that goes by a clock of its own, with workspaces that no other test counts in, and calls in them. */
export function ownContext(gateway: () => TestGateway, start?: string) {
  const clock = makeClock(start);
  const context = (actor?: Actor) => makeContext({ ...gateway().deps, now: clock.now }, actor);
  return {
    clock,
    context,
    makeWorkspace: async (settings: Partial<CreateWorkspaceBody> = {}) =>
      (await workspaces.create(context(), { name: "W", slug: `own-${(made += 1)}`, ...settings })).data.id,
    commit: async (workspaceId: string, at: string, ...calls: Partial<LedgerEntry>[]) =>
      await commitCallsOf(gateway().deps, workspaceId, at, ...calls),
  };
}
