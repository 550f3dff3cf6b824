import { expect, it } from "vitest";
import { makeContext } from "../../testing/context.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import * as keyList from "../keys/list.ts";
import * as keys from "../keys/keys.ts";
import * as workspaces from "./workspaces.ts";

describeGateway("workspaces", (gateway) => {
  const ctx = () => makeContext(gateway().deps);
  let made = 0;
  const fresh = async () => (await workspaces.create(ctx(), { name: "W", slug: `w-${(made += 1)}` })).data;

  it("are listed with the default one first, then by age", async () => {
    await fresh();
    gateway().clock.advance(1_000);
    await fresh();
    const { data, total_count } = await workspaces.list(ctx(), {});
    expect(total_count).toBe(data.length);
    expect(data.map((record) => record.is_default)).toEqual(data.map((_, index) => index === 0));
    const ages = data.slice(1).map((record) => record.created_at);
    expect(ages).toEqual(ages.toSorted());
    expect((await workspaces.list(ctx(), { offset: 1, limit: 1 })).data).toEqual([data[1]]);
  });

  it("of one slug, made at once, are one", async () => {
    const create = async () => await workspaces.create(ctx(), { name: "Same", slug: "same" });
    const results = await Promise.allSettled(Array.from({ length: 6 }, create));
    expect(results.filter((result) => result.status === "fulfilled").length).toBe(1);
    for (const result of results) {
      if (result.status === "rejected")
        expect(result.reason).toMatchObject({ status: 409, details: { issues: [{ path: "slug" }] } });
    }
  });

  it("give their slug free when they are deleted", async () => {
    const { slug, id } = await fresh();
    await workspaces.remove(ctx(), slug);
    await expect(workspaces.get(ctx(), id)).rejects.toMatchObject({ status: 404 });
    const again = await workspaces.create(ctx(), { name: "Again", slug });
    expect(again.data.id).not.toBe(id);
  });

  it("count the keys that work, and only those keep them from being deleted", async () => {
    const { id } = await fresh();
    const soon = new Date(gateway().clock.now().getTime() + 1_000).toISOString();
    const bodies = [{ name: "a" }, { name: "b" }, { name: "c", expires_at: soon }];
    const [a, b] = await Promise.all(bodies.map((body) => keys.create(ctx(), { ...body, workspace_id: id })));
    const active = async () => (await workspaces.get(ctx(), id)).data.active_keys;
    expect(await active()).toBe(3);
    gateway().clock.advance(1_000);
    expect(await active()).toBe(2);
    await expect(workspaces.remove(ctx(), id)).rejects.toMatchObject({
      status: 400,
      message: "This workspace has 2 active API keys: delete or disable them first",
      details: { active_keys: 2, over_limit_keys: 0 },
    });
    // a key over its limit is not active, here as in the lists of keys, and works again once its limit is raised
    await keys.update(ctx(), a?.data.hash ?? "", { limit: 0 });
    expect((await workspaces.get(ctx(), id)).data).toMatchObject({ active_keys: 1, over_limit_keys: 1 });
    expect((await keyList.count(ctx(), { workspace_id: id })).data.active.count).toBe(1);
    await keys.update(ctx(), b?.data.hash ?? "", { disabled: true });
    await expect(workspaces.remove(ctx(), id)).rejects.toMatchObject({
      message: "This workspace has 1 API key over its limit: delete or disable it first",
    });
    await keys.update(ctx(), a?.data.hash ?? "", { disabled: true });
    await keys.remove(ctx(), b?.data.hash ?? "");
    expect(await active()).toBe(0);
    expect(await workspaces.remove(ctx(), id)).toEqual({ deleted: true });
  });

  it("never end up deleted with a key in them, whoever comes first", async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await fresh();
      const [key, removal] = await Promise.allSettled([
        keys.create(ctx(), { name: "late", workspace_id: id }),
        workspaces.remove(ctx(), id),
      ]);
      expect([key.status, removal.status].toSorted()).toEqual(["fulfilled", "rejected"]);
      const loser = key.status === "rejected" ? key : removal;
      expect(loser).toMatchObject({ reason: { status: 400 } });
    }
  });

  it("refuse the deletion of the default one, and another's slug", async () => {
    const { slug } = await fresh();
    await expect(workspaces.remove(ctx(), "default")).rejects.toMatchObject({ status: 403 });
    await expect(workspaces.update(ctx(), slug, { slug: "default" })).rejects.toMatchObject({ status: 409 });
    await expect(workspaces.get(ctx(), "no-such")).rejects.toMatchObject({ status: 404 });
  });
});
