import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { openStore, type Store } from "../../storage/store.ts";
import { createDatabase } from "../../testing/postgres.ts";
import type { Deps } from "../context.ts";
import { createCredentialCache, findCredential } from "../keys/credentials.ts";
import { applyEnvironmentKey } from "./environment-key.ts";
import { seed } from "./bootstrap.ts";
import { createSecretBox, WrongSecretKey } from "../secrets/box.ts";
import { openSecretBox, verifySecretBox } from "../secrets/key.ts";
import { createKeyRates } from "../ledger/key-rates.ts";
import { findSession, signIn } from "./sessions.ts";
import { createSignInAttempts } from "./sign-in-attempts.ts";

const now = () => new Date("2026-11-21T12:00:00Z");
const [first, second] = ["the-first-value-of-the-variable-xxxx", "the-second-value-of-the-variable-xxx"];
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function open(): Promise<{ store: Store; url: string }> {
  const database = await createDatabase(inject("postgresUrl"), { template: inject("postgresTemplate") });
  closing.push(() => database.drop());
  return { store: await openAt(database.url), url: database.url };
}

async function openAt(url: string, poolSize = 4): Promise<Store> {
  const store = await openStore({ engine: "postgres", url, poolSize }, now);
  closing.push(() => store.close());
  return store;
}

/** The dependencies of the first start. */
const depsOn = (store: Store) =>
  ({
    store,
    now,
    secrets: createSecretBox(["one key for all of these processes"]),
    credentials: createCredentialCache(),
    signInAttempts: createSignInAttempts(),
    exchangeAttempts: createSignInAttempts("exchange a code"),
    authCodeRates: createKeyRates(10, "make codes for apps"),
  }) as Deps;
const freshDeps = async () => depsOn((await open()).store);
/** Whose key it is, where it works. */
const actorOf = async (deps: Deps, key: string) => (await findCredential(deps, key)).actor;

describe("the first start", () => {
  it("makes a default workspace, a management key that works and a token that signs in, once", async () => {
    const deps = await freshDeps();
    const { managementKey = "", signInToken: sign_in_token = "" } = (await seed(deps, null)) ?? {};
    expect((await actorOf(deps, managementKey ?? "")).kind).toBe("management");
    expect((await signIn(deps, { sign_in_token }, null)).session.actor.name).toBe("admin");
    expect(await seed(deps, null)).toBeNull();
  });

  it("installs the key that it is given, and does not repeat it", async () => {
    const deps = await freshDeps();
    expect(await seed(deps, first)).toMatchObject({ managementKey: null });
    expect(await actorOf(deps, first)).toMatchObject({ kind: "management", name: "admin" });
  });

  it("of several processes at once is one process's", async () => {
    const { url } = await open();
    const stores = await Promise.all([1, 2, 3, 4].map(async () => await openAt(url, 2)));
    const results = await Promise.all(stores.map((store) => seed(depsOn(store), null)));
    expect(results.filter((result) => result !== null).length).toBe(1);
    const [store] = stores as [Store];
    const { rows } = await store.pool.query("select count(*) as keys, count(distinct hash) as hashes from api_keys");
    expect(rows).toEqual([{ keys: 1n, hashes: 1n }]);
    const workspaces = await store.pool.query("select slug, is_default from workspaces");
    expect(workspaces.rows).toEqual([{ slug: "default", is_default: true }]);
  });
});

describe("a later start", () => {
  const start = async () => {
    const deps = await freshDeps();
    await seed(deps, first);
    return deps;
  };

  it("with the same management key in its environment, or none, changes nothing", async () => {
    const deps = await start();
    expect(await applyEnvironmentKey(deps, first)).toBeNull();
    expect(await applyEnvironmentKey(deps, null)).toBeNull();
    expect((await actorOf(deps, first)).kind).toBe("management");
  });

  it("with a new one installs it, and ends the old one with its sessions", async () => {
    const deps = await start();
    const { token } = await signIn(deps, { management_key: first }, null);
    expect(await applyEnvironmentKey(deps, second)).toMatch(/before was deleted/);
    expect((await actorOf(deps, second)).kind).toBe("management");
    await expect(findCredential(deps, first)).rejects.toThrow(/deleted/);
    await expect(findSession(deps, token)).rejects.toThrow(/ended/);
    expect(await applyEnvironmentKey(deps, second)).toBeNull();
  });

  it("with one for the first time keeps the key that was generated", async () => {
    const deps = await freshDeps();
    const generated = (await seed(deps, null))?.managementKey ?? "";
    expect(await applyEnvironmentKey(deps, first)).toMatch(/from before still work/);
    expect((await actorOf(deps, generated)).kind).toBe("management");
    expect((await actorOf(deps, first)).kind).toBe("management");
  });

  it("with one that was ended before is refused; with one that was ended since, it is told", async () => {
    const deps = await start();
    await applyEnvironmentKey(deps, second);
    await expect(applyEnvironmentKey(deps, first)).rejects.toThrow(/was deleted on .*set the variable to another/);
    await deps.store.db.updateTable("api_keys").set({ disabled: true }).execute();
    expect(await applyEnvironmentKey(deps, second)).toMatch(/is disabled, so it opens nothing/);
  });
});

describe("the key of the secret box", () => {
  let folder = "";
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "gatehouse-key-"));
    closing.push(() => rm(folder, { recursive: true, force: true }));
  });

  it("is generated into a file that only its user can read, and is the same at the next start", async () => {
    const sealed = (await openSecretBox(null, folder)).seal("text", "place");
    expect((await stat(join(folder, "secret.key"))).mode & 0o777).toBe(0o600);
    expect((await openSecretBox(null, folder)).open(sealed, "place")).toBe("text");
    expect(await readFile(join(folder, "secret.key"), "utf8")).not.toContain("text");
  });

  it("is one for processes that generate it at once", async () => {
    const boxes = await Promise.all([1, 2, 3, 4].map(() => openSecretBox(null, folder)));
    for (const box of boxes) expect(boxes[0]?.open(box.seal("text", "place"), "place")).toBe("text");
  });

  it("may be set later: what the generated one sealed still opens", async () => {
    const before = (await openSecretBox(null, folder)).seal("text", "place");
    const box = await openSecretBox(first, folder);
    expect(box.open(before, "place")).toBe("text");
    expect(box.isOutdated(before)).toBe(true);
  });

  it("that did not make the store's secrets is refused at start, with what would help", async () => {
    const { store } = await open();
    const verify = async (given: string | null) => await verifySecretBox(store, await openSecretBox(given, folder));
    await verify(null);
    await verify(first);
    await writeFile(join(folder, "secret.key"), `${"another generated key".repeat(3)}\n`);
    await verify(first);
    const wrong = verify(null);
    await expect(wrong).rejects.toThrow(WrongSecretKey);
    await expect(wrong).rejects.toThrow(/Set GATEHOUSE_SECRET_KEY to the key that was in use/);
  });
});
