import { describe, expect, it } from "vitest";
import { makeContext } from "../testing/context.ts";
import { describeGateway } from "../testing/describe-gateway.ts";
import * as audit from "./audit.ts";
import * as keys from "./keys/keys.ts";
import { orderedId } from "./ordered-id.ts";
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

describe("a long member", () => {
  const models = Array.from({ length: 2_000 }, (_, id) => ({ id, name: `Model ${id}`, description: "x".repeat(500) }));
  const renamed = models.map((model) => (model.id === 7 ? { ...model, name: "Seven" } : model));

  it("that is a list is recorded as the items that differ", () => {
    const [before, after] = audit.boundedMembers({ models, name: "a" }, { models: renamed, name: "a" });
    const short = { count: 2_000, unchanged: 1_999, cut: 0 };
    expect(before).toEqual({ models: { ...short, shown: [models[7]] }, name: "a" });
    expect(after).toEqual({ models: { ...short, shown: [renamed[7]] }, name: "a" });
  });

  it("says how much of it is left out", () => {
    const [before, after] = audit.boundedMembers(null, { models, text: "y".repeat(20_000), list: [1] });
    expect(before).toBeNull();
    expect(after).toMatchObject({
      models: { count: 2_000, unchanged: 0, cut: 1_970 },
      text: { cut: 3_618 },
      list: [1],
    });
    expect(JSON.stringify(after).length).toBeLessThan(50_000);
  });
});

describeGateway("the audit log", (gateway) => {
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

  it("gives those of a stretch of time, and of one request", async () => {
    const ctx = makeContext(gateway().deps);
    const { data } = await workspaces.create(ctx, { name: "W", slug: "stretch" });
    const at = () => gateway().clock.now().toISOString();
    const rename = async (name: string) => {
      gateway().clock.advance(1_000);
      await workspaces.update({ ...ctx, requestId: `request ${name}` }, data.id, { name });
      return at();
    };
    const [since, until] = [await rename("Once"), await rename("Twice")];
    const namesOf = async (query: Parameters<typeof audit.list>[1]) =>
      (await audit.list(ctx, { target_id: data.id, ...query })).data.map(({ after }) => after?.["name"]);
    expect(await namesOf({ since })).toEqual(["Twice", "Once"]);
    expect(await namesOf({ since, until })).toEqual(["Once"]);
    expect(await namesOf({ request_id: "request Once" })).toEqual(["Once"]);
    expect(await namesOf({ request_id: "req-unheard-of" })).toEqual([]);
  });

  it("ends a page where its rows have a megabyte, and its cursor leads to the rest", async () => {
    const ctx = makeContext(gateway().deps);
    const { db } = gateway().deps.store;
    const target_type = "long";
    const row = { actor: "ana", action: "x", target_type, target_id: "x", before: null, source_ip: null };
    const lengths = [10, 700_000, 10, 700_000, 2_000_000, 10];
    for (const [index, length] of lengths.entries()) {
      gateway().clock.advance(1);
      const at = ctx.now();
      const after = JSON.stringify({ index, text: "x".repeat(length) });
      const rest = { target_name: null, workspace_id: null, request_id: null };
      await db
        .insertInto("audit")
        .values({ ...row, ...rest, id: orderedId(at), at, after })
        .execute();
    }
    const pages: unknown[][] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof audit.list>> = await audit.list(ctx, {
        target_type,
        ...(cursor === null ? {} : { cursor }),
      });
      pages.push(page.data.map(({ after }) => after?.["index"]));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(pages).toEqual([[5], [4], [3, 2], [1, 0]]);
  });
});
