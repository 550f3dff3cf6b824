import { afterEach, describe, expect, inject, it } from "vitest";
import { testDates } from "../../testing/clock.ts";
import { makeContext } from "../../testing/context.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { createDatabase } from "../../testing/postgres.ts";
import { openStore } from "../../storage/store.ts";
import { createCredentialCache, findCredential } from "./credentials.ts";
import { generateKey } from "./format.ts";
import * as keys from "./keys.ts";

describeGateway("a credential", (gateway) => {
  const context = () => makeContext(gateway().deps);

  it("is found by the plaintext, with what a call needs of it", async () => {
    const settings = { name: "found", limit: 2, limit_reset: "daily", creator_user_id: "u1" } as const;
    const { data, key } = await keys.create(context(), settings);
    expect(await findCredential(context(), key)).toMatchObject({
      hash: data.hash,
      kind: "ordinary",
      purpose: null,
      actor: { kind: "ordinary", keyHash: data.hash, name: "found", workspaceId: data.workspace_id },
      label: data.label,
      creatorUserId: "u1",
      limits: [{ limit: 2_000_000_000n, reset: "daily", includeByok: false }],
    });
  });

  it("may be any secret that the administrator installed as management key", async () => {
    const { actor, label } = await findCredential(context(), gateway().managementKey);
    expect(actor.kind).toBe("management");
    expect(label).toBe(`custom...${gateway().managementKey.slice(-4)}`);
  });

  it("that cannot be used says which way", async () => {
    const ctx = context();
    const make = (name: string) => keys.create(ctx, { name });
    const [disabled, deleted, cut] = [await make("disabled"), await make("deleted"), await make("cut")];
    await keys.update(ctx, disabled.data.hash, { disabled: true });
    await keys.remove(ctx, deleted.data.hash);
    for (const [plaintext, message] of [
      [disabled.key, "This API key is disabled"],
      [deleted.key, new RegExp(`^This API key was deleted on ${ctx.now().toISOString().slice(0, 10)}`)],
      [cut.key.slice(0, -1), /^This API key is not complete or was changed/],
      [generateKey("ordinary"), "This API key is not known here"],
      [generateKey("management"), "This API key is not known here"],
      ["sk-or-v1-0123456789abcdef0123456789abcdef", /^This is not a Gatehouse API key/],
      ["a secret of more than thirty-two characters", /^This is not a Gatehouse API key/],
    ] as const) {
      const error: unknown = await findCredential(ctx, plaintext).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ status: 401, message: expect.stringMatching(message) });
      expect(JSON.stringify(error)).not.toContain(plaintext.slice(-20));
    }
  });

  it.each(testDates)("expires by the clock, not when it is next read from the store: %s", async (date) => {
    gateway().clock.set(date);
    const expiry = new Date(Date.parse(date) + 1_000).toISOString();
    const { key } = await keys.create(context(), { name: "short", expires_at: expiry });
    gateway().clock.advance(999);
    expect((await findCredential(context(), key)).name).toBe("short");
    gateway().clock.advance(1);
    await expect(findCredential(context(), key)).rejects.toThrow(`This API key expired on ${expiry}`);
  });

  it("that was refused as unknown works once it is made, and a change is seen by the next call", async () => {
    const ctx = context();
    const { data, key } = await keys.create(ctx, { name: "before" });
    expect((await findCredential(ctx, key)).name).toBe("before");
    await keys.update(ctx, data.hash, { name: "after" });
    expect((await findCredential(ctx, key)).name).toBe("after");
    await keys.update(ctx, data.hash, { disabled: true });
    await expect(findCredential(ctx, key)).rejects.toThrow("disabled");
    await keys.update(ctx, data.hash, { disabled: false });
    expect((await findCredential(ctx, key)).disabled).toBe(false);
  });
});

describe("a credential in several processes", () => {
  let at = new Date("2026-11-21T12:00:00Z");
  const advance = (ms: number) => void (at = new Date(at.getTime() + ms));
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
  });

  /** The dependencies of keys in two processes, on a database that they share. */
  async function twoProcesses() {
    const database = await createDatabase(inject("postgresUrl"), { template: inject("postgresTemplate") });
    closing.push(() => database.drop());
    const open = async () => {
      const store = await openStore({ engine: "postgres", url: database.url }, () => at);
      closing.push(() => store.close());
      const credentials = createCredentialCache();
      const ctx = makeContext({ store, now: () => at, credentials } as Parameters<typeof makeContext>[0]);
      return { ctx, store, credentials };
    };
    const [here, there] = [await open(), await open()];
    await here.store.pool.query(
      `insert into workspaces (id, slug, name, created_at, default_guardrail_id, is_default)
       values (gen_random_uuid(), 'default', 'Default', now(), gen_random_uuid(), true)`,
    );
    return { here, there };
  }

  it("is forgotten everywhere when it changes in one", async () => {
    const { here, there } = await twoProcesses();
    let watching = false;
    there.store.notices.listen("gatehouse_keys", () => (watching = true));
    there.credentials.watch(there.ctx);
    await expect.poll(() => watching).toBe(true);
    const { data, key } = await keys.create(here.ctx, { name: "shared" });
    expect((await findCredential(there.ctx, key)).disabled).toBe(false);
    await keys.update(here.ctx, data.hash, { disabled: true });
    const found = async () => await findCredential(there.ctx, key).catch((error: Error) => error.message);
    await expect.poll(found).toBe("This API key is disabled");
  });

  it("is read again after five seconds where no word of the change came", async () => {
    const { here, there } = await twoProcesses();
    const { data, key } = await keys.create(here.ctx, { name: "shared" });
    await findCredential(there.ctx, key);
    await keys.update(here.ctx, data.hash, { disabled: true });
    advance(4_999);
    expect((await findCredential(there.ctx, key)).disabled).toBe(false);
    advance(1);
    await expect(findCredential(there.ctx, key)).rejects.toThrow("disabled");
  });

  it("that is known goes on working for five minutes while the store is away; an unknown one is told to come again", async () => {
    const { here } = await twoProcesses();
    const { key } = await keys.create(here.ctx, { name: "known" });
    const other = await keys.create(here.ctx, { name: "not yet used" });
    await findCredential(here.ctx, key);
    await here.store.pool.query("alter table api_keys rename to away");
    advance(299_999);
    expect((await findCredential(here.ctx, key)).name).toBe("known");
    const away = { status: 503, details: { retryAfterSeconds: expect.any(Number) } };
    await expect(findCredential(here.ctx, other.key)).rejects.toMatchObject(away);
    advance(1);
    await expect(findCredential(here.ctx, key)).rejects.toMatchObject({ status: 503 });
    await here.store.pool.query("alter table away rename to api_keys");
    expect((await findCredential(here.ctx, key)).name).toBe("known");
  });
});
