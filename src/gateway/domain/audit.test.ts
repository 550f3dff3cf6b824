import { describe, expect, it } from "vitest";
import { makeContext } from "../testing/context.ts";
import { describeOnEngines } from "../testing/engines.ts";
import * as audit from "./audit.ts";
import * as keys from "./keys/keys.ts";
import * as workspaces from "./workspaces/workspaces.ts";

describe("the changed members", () => {
  it("are those that differ, with null for what was not there", () => {
    expect(audit.changedMembers({ a: 1, b: [1], c: null }, { a: 1, b: [2], d: 4 })).toEqual([
      { b: [1], c: null, d: null },
      { b: [2], c: null, d: 4 },
    ]);
  });

  it("are all of them for what is new or gone", () => {
    expect(audit.changedMembers(null, { a: 1 })).toEqual([null, { a: 1 }]);
    expect(audit.changedMembers({ a: 1 }, null)).toEqual([{ a: 1 }, null]);
  });
});

describeOnEngines("the audit log", (gateway) => {
  it("gives every change once, newest first, by cursor and by what is asked for", async () => {
    const ctx = makeContext(gateway().deps);
    const other = makeContext(gateway().deps, { kind: "management", keyHash: "1".repeat(64), name: "ben" });
    const { data: workspace } = await workspaces.create(other, { name: "W", slug: "w" });
    for (let index = 0; index < 7; index += 1) {
      if (index % 3 === 0) gateway().clock.advance(1);
      const { data } = await keys.create(index % 2 === 0 ? ctx : other, {
        name: `k${index}`,
        workspace_id: workspace.id,
      });
      await keys.remove(ctx, data.hash);
    }
    const names: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof audit.list>> = await audit.list(ctx, {
        workspace_id: workspace.id,
        limit: 4,
        ...(cursor === null ? {} : { cursor }),
      });
      names.push(...page.data.map((row) => `${row.actor} ${row.action} ${row.target_name}`));
      cursor = page.next_cursor;
    } while (cursor !== null);
    const expected = ["ben createWorkspace W"];
    for (let index = 0; index < 7; index += 1) {
      expected.push(`${index % 2 === 0 ? "ana" : "ben"} createKeys k${index}`, `ana deleteKeys k${index}`);
    }
    expect(names).toEqual(expected.toReversed());

    const actions = async (query: Parameters<typeof audit.list>[1]) =>
      new Set((await audit.list(ctx, query)).data.map((row) => row.action));
    expect(await actions({ actor: "ben" })).toEqual(new Set(["createKeys", "createWorkspace"]));
    expect(await actions({ action: "deleteKeys" })).toEqual(new Set(["deleteKeys"]));
    expect(await actions({ target_type: "management_key" })).toEqual(new Set(["createManagementKey"]));
  });
});
