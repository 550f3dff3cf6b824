import { afterEach, describe, expect, inject, it } from "vitest";
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
    const ctx = context();
    const { data, key } = await keys.create(ctx, {
      name: "found",
      limit: 2,
      limit_reset: "daily",
      creator_user_id: "u1",
    });
    expect(await findCredential(ctx, key)).toMatchObject({
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

  it("expires by the clock, not when it is next read from the store", async () => {
    const ctx = context();
    const expiry = new Date(gateway().clock.now().getTime() + 1_000);
    const { key } = await keys.create(ctx, { name: "short", expires_at: expiry.toISOString() });
    gateway().clock.advance(999);
    expect((await findCredential(ctx, key)).name).toBe("short");
    gateway().clock.advance(1);
    await expect(findCredential(ctx, key)).rejects.toThrow(`This API key expired on ${expiry.toISOString()}`);
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
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
  });

  /** The dependencies of keys in one process, on a database that is shared with others. */
  async function process(url: string, now: () => Date) {
    const store = await openStore({ engine: "postgres", url }, now);
    closing.push(() => store.close());
    const credentials = createCredentialCache();
    const ctx = makeContext({ store, now, credentials } as Parameters<typeof makeContext>[0]);
    return { ctx, store, credentials };
  }

  async function sharedDatabase(): Promise<string> {
    const database = await createDatabase(inject("postgresUrl"));
    closing.push(() => database.drop());
    return database.url;
  }

  async function insertDefaultWorkspace({ store }: Awaited<ReturnType<typeof process>>): Promise<void> {
    await store.pool.query(
      `insert into workspaces (id, slug, name, created_at, default_guardrail_id, is_default)
       values (gen_random_uuid(), 'default', 'Default', now(), gen_random_uuid(), true)`,
    );
  }

  it("is forgotten everywhere when it changes in one", async () => {
    const url = await sharedDatabase();
    const now = () => new Date("2026-11-21T12:00:00Z");
    const [here, there] = [await process(url, now), await process(url, now)];
    await insertDefaultWorkspace(here);
    let watching = false;
    there.store.notices.listen("gatehouse_keys", () => (watching = true));
    there.credentials.watch(there.ctx);
    await expect.poll(() => watching).toBe(true);
    const { data, key } = await keys.create(here.ctx, { name: "shared" });
    expect((await findCredential(there.ctx, key)).disabled).toBe(false);
    await keys.update(here.ctx, data.hash, { disabled: true });
    await expect
      .poll(() =>
        findCredential(there.ctx, key).then(
          () => "works",
          (error: Error) => error.message,
        ),
      )
      .toBe("This API key is disabled");
  });

  it("is read again after five seconds where no word of the change came", async () => {
    const url = await sharedDatabase();
    let at = new Date("2026-11-21T12:00:00Z");
    const [here, there] = [await process(url, () => at), await process(url, () => at)];
    await insertDefaultWorkspace(here);
    const { data, key } = await keys.create(here.ctx, { name: "shared" });
    await findCredential(there.ctx, key);
    await keys.update(here.ctx, data.hash, { disabled: true });
    at = new Date(at.getTime() + 4_999);
    expect((await findCredential(there.ctx, key)).disabled).toBe(false);
    at = new Date(at.getTime() + 1);
    await expect(findCredential(there.ctx, key)).rejects.toThrow("disabled");
  });

  it("that is known goes on working for five minutes while the store is away; an unknown one is told to come again", async () => {
    const url = await sharedDatabase();
    let at = new Date("2026-11-21T12:00:00Z");
    const here = await process(url, () => at);
    await insertDefaultWorkspace(here);
    const { key } = await keys.create(here.ctx, { name: "known" });
    const other = await keys.create(here.ctx, { name: "not yet used" });
    await findCredential(here.ctx, key);
    await here.store.pool.query("alter table api_keys rename to away");
    at = new Date(at.getTime() + 299_999);
    expect((await findCredential(here.ctx, key)).name).toBe("known");
    await expect(findCredential(here.ctx, other.key)).rejects.toMatchObject({
      status: 503,
      details: { retryAfterSeconds: expect.any(Number) },
    });
    at = new Date(at.getTime() + 1);
    await expect(findCredential(here.ctx, key)).rejects.toMatchObject({ status: 503 });
    await here.store.pool.query("alter table away rename to api_keys");
    expect((await findCredential(here.ctx, key)).name).toBe("known");
  });
});
