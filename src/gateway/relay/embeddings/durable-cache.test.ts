import { hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { verifyLedger } from "../../domain/ledger/verify.ts";
import { createSecretBox } from "../../domain/secrets/box.ts";
import {
  emptyCaches,
  type EmbeddingCachePolicy,
  pruneCaches,
  readVectors,
  tidyCaches,
  touchVectors,
  writeVectors,
} from "../../domain/workspaces/stored-vectors.ts";
import { makeClock } from "../../testing/clock.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { eventually } from "../../testing/eventually.ts";
import { expectIssues } from "../../testing/expect-error.ts";
import { makeKey, makeWorkspace } from "../../testing/factories.ts";
import { ledgerRow } from "../../testing/ledger-calls.ts";
import { withVendor } from "../../testing/vendor-setup.ts";
import { takeTurns } from "../../turns.ts";
import { createDurableCache } from "./durable-cache.ts";

const model = "acme/embed";
let texts = 0;
const fresh = () => `a text of the cache ${(texts += 1)}`;
const dayMs = 86_400_000;

describeGateway(
  "the durable embedding cache, and getEmbeddingCache",
  (gateway) => {
    const vendor = withVendor(gateway, { provider: { zdr: true } });
    const pool = () => gateway().deps.store.pool;
    const workspaceWith = async (body: object = { embedding_cache_mb: 1 }) => {
      const workspace = await makeWorkspace(gateway(), body);
      const { key } = await makeKey(gateway(), { workspace_id: workspace.id });
      return { workspace, key };
    };
    const embed = async (key: string, body: object, headers: Record<string, string> = {}) => {
      const answer = await gateway().call("POST", "/embeddings", { key, body: { model, ...body }, headers });
      expect(answer.status, answer.text).toBe(200);
      return answer;
    };
    const stateOf = async (id: string, last = 30) =>
      (await gateway().call("GET", `/workspaces/${id}/embedding-cache?last=${last}`)).json.data;
    const stored = (id: string, entries: number) =>
      eventually(
        () => stateOf(id),
        (state) => state.entries === entries,
      );
    const rowOf = async ({ headers }: { headers: Headers }) =>
      (await ledgerRow(gateway(), headers.get("x-generation-id"))) ?? expect.fail("there is no row");
    const entriesOf = async (id: string) =>
      (
        await pool().query<{ key: Buffer; sealed: Buffer; bytes: number }>(
          "select key, sealed, bytes from embedding_cache_entries where workspace_id = $1",
          [id],
        )
      ).rows;

    /** A workspace whose cache has the vector of one text. */
    const used = async () => {
      const { workspace, key } = await workspaceWith();
      const input = fresh();
      const first = await embed(key, { input });
      await stored(workspace.id, 1);
      return { workspace, key, input, first };
    };
    const gone = (id: string) =>
      eventually(
        () => entriesOf(id),
        (entries) => entries.length === 0,
      );
    /** Expects that these inputs are asked of the provider, and no others. */
    const expectAsked = async (key: string, body: { input: unknown }, ...asked: string[]) => {
      const calls = vendor().calls();
      const answer = await embed(key, body);
      expect(vendor().calls()).toBe(calls + (asked.length > 0 ? 1 : 0));
      if (asked.length > 0) expect(vendor().requests.at(-1)?.body.input).toEqual(asked);
      return answer;
    };

    it.each(["float", "base64"])("answers an equal input from it, byte for byte, in %s", async (encoding_format) => {
      const { workspace, key } = await workspaceWith();
      const input = [fresh(), fresh()];
      const first = await embed(key, { input, encoding_format });
      await stored(workspace.id, 2);
      const reversed = { input: input.toReversed(), encoding_format };
      const again = await expectAsked(key, reversed);
      const vectors = (text: string) => text.match(/"embedding":("[^"]*"|\[[^\]]*\])/g) ?? [];
      expect(vectors(again.text)).toEqual(vectors(first.text).toReversed());
      expect(again.headers.get("x-vector-space")).toBe(first.headers.get("x-vector-space"));
      const tokens = first.json.usage.prompt_tokens;
      const usage = { prompt_tokens: tokens, cost: 0, prompt_tokens_details: { cached_tokens: tokens } };
      expect(again.json.usage).toMatchObject(usage);
      const { cost } = await rowOf(first);
      const counts = { inputs: 2, cached_inputs: 2, stored_inputs: 2, attempts: [] };
      expect(await rowOf(again)).toMatchObject({ cost: 0n, saved: cost, stored_saved: cost, ...counts });
    });

    it("asks the provider only for what it does not have, and for the other format", async () => {
      const { key, input } = await used();
      const other = fresh();
      const answer = await expectAsked(key, { input: [input, other] }, other);
      expect(await rowOf(answer)).toMatchObject({ inputs: 2, cached_inputs: 1, stored_inputs: 1 });
      await expectAsked(key, { input, encoding_format: "base64" } as { input: string }, input);
    });

    it("says what it holds and saved, as the ledger has it, and verify agrees", async () => {
      const { workspace, key, input, first } = await used();
      await embed(key, { input });
      await embed(key, { input: [input, fresh()] });
      const { cost } = await rowOf(first);
      const state = await eventually(
        () => stateOf(workspace.id, 2),
        ({ savings }) => savings.inputs === 2,
      );
      expect(state).toMatchObject({ enabled: true, max_bytes: 1_000_000, max_age_days: 30 });
      expect(state.savings).toMatchObject({ inputs: 2, calls: 1, saved: Number(2n * cost) / 1e9 });
      expect(state.savings.days).toMatchObject([{}, { inputs: 2, calls: 1 }]);
      expect((await verifyLedger(gateway().deps)).differences).toEqual([]);
    });

    it("stores nothing from which a text or a vector can be read or guessed", async () => {
      const input = "guess me";
      const keys = [];
      for (let each = 0; each < 2; each += 1) {
        const { workspace, key } = await workspaceWith();
        const answer = await embed(key, { input, encoding_format: "base64" });
        await stored(workspace.id, 1);
        const [entry] = await entriesOf(workspace.id);
        expect(entry?.key).toHaveLength(32);
        expect(entry?.key.equals(hash("sha256", input, "buffer"))).toBe(false);
        expect(entry?.sealed.includes(Buffer.from(answer.json.data[0].embedding, "base64"))).toBe(false);
        expect(entry?.sealed.includes(input)).toBe(false);
        keys.push(entry?.key.toString("hex"));
      }
      // Another workspace's entry for the same text shows no relation.
      expect(keys[0]).not.toBe(keys[1]);
    });

    it("serves no other workspace, and no entry that was copied into another row", async () => {
      const { workspace, key, input } = await used();
      await expectAsked((await workspaceWith()).key, { input }, input);
      const two = fresh();
      await embed(key, { input: two });
      await stored(workspace.id, 2);
      const [entry] = await entriesOf(workspace.id);
      const copy = "update embedding_cache_entries set sealed = $1 where workspace_id = $2";
      await pool().query(copy, [entry?.sealed, workspace.id]);
      const before = vendor().calls();
      await embed(key, { input: [input, two] });
      expect(vendor().calls()).toBe(before + 1);
      expect(vendor().requests.at(-1)?.body.input).toHaveLength(1);
    });

    it.each([
      ["Cache-Control: no-store", {}, { "cache-control": "no-store" }],
      ["zdr", { provider: { zdr: true } }, {}],
      ["data_collection: deny", { provider: { data_collection: "deny" } }, {}],
    ])("has nothing of a call with %s", async (_, body, headers) => {
      const { workspace, key } = await workspaceWith();
      const input = fresh();
      await embed(key, { input, ...body }, headers);
      await embed(key, { input: fresh() });
      await stored(workspace.id, 1);
      await expectAsked(key, { input }, input);
    });

    it("has nothing of a workspace that did not turn it on, or turned it off", async () => {
      const { workspace, key } = await workspaceWith({});
      await embed(key, { input: fresh() });
      expect(await stateOf(workspace.id)).toMatchObject({ enabled: false, since: null, entries: 0, max_bytes: null });
      expect(await entriesOf(workspace.id)).toEqual([]);
      const { id } = (await used()).workspace;
      const body = { embedding_cache_mb: null };
      const off = await gateway().call("PATCH", `/workspaces/${id}`, { body });
      expect(off.json.data.embedding_cache_mb).toBeNull();
      await gone(id);
      expect(await stateOf(id)).toMatchObject({ enabled: false, entries: 0 });
    });

    it("clearEmbeddingCache empties it, with an audit row; it stays on", async () => {
      const { workspace, key, input } = await used();
      const cleared = await gateway().call("DELETE", `/workspaces/${workspace.id}/embedding-cache`);
      expect(cleared.json).toEqual({ data: { entries: 1 } });
      await gone(workspace.id);
      await expectAsked(key, { input }, input);
      await stored(workspace.id, 1);
      const audit = await gateway().call("GET", `/audit?workspace_id=${workspace.id}&action=clearEmbeddingCache`);
      expect(audit.json.data).toMatchObject([{ before: { entries: 1 }, after: { entries: 0 } }]);
    });

    it("ends with its workspace, by another secret key, and by prune for what is older", async () => {
      const workspace = await makeWorkspace(gateway(), { embedding_cache_mb: 1 });
      const { key, record } = await makeKey(gateway(), { workspace_id: workspace.id });
      await embed(key, { input: fresh() });
      await stored(workspace.id, 1);
      await gateway().call("DELETE", `/keys/${record.hash}`);
      expect((await gateway().call("DELETE", `/workspaces/${workspace.id}`)).status).toBe(200);
      await gone(workspace.id);
      const { store } = gateway().deps;
      const { id } = (await used()).workspace;
      expect(await pruneCaches(store, gateway().clock.now())).toBe(0);
      expect(await pruneCaches(store, new Date(gateway().clock.now().getTime() + 1))).toBeGreaterThan(0);
      expect((await stateOf(id)).entries).toBe(0);
      const again = (await used()).workspace.id;
      expect(await emptyCaches(store)).toBeGreaterThan(0);
      expect(await stateOf(again)).toMatchObject({ entries: 0, bytes: 0, enabled: true });
    });

    it("400: less than a megabyte, more than a hundred gigabytes, and parts of a day; 404: no such workspace", async () => {
      const { workspace } = await workspaceWith({});
      for (const [member, value] of [
        ["embedding_cache_mb", 0],
        ["embedding_cache_mb", 102_401],
        ["embedding_cache_days", 0.5],
        ["embedding_cache_days", 3_651],
      ] as const)
        expectIssues(
          await gateway().call("PATCH", `/workspaces/${workspace.id}`, { body: { [member]: value } }),
          member,
        );
      for (const method of ["GET", "DELETE"])
        expect((await gateway().call(method, "/workspaces/nowhere/embedding-cache")).status).toBe(404);
    });

    describe("its bounds", () => {
      const at = makeClock().now();
      const later = (days: number) => new Date(at.getTime() + days * dayMs);
      const keyOf = (name: string) => hash("sha256", name, "buffer");
      const entry = (name: string, length = 300) => ({ key: keyOf(name), sealed: Buffer.alloc(length, name) });
      const policyOf = async (
        rest: Partial<EmbeddingCachePolicy> = {},
        settings: object = { embedding_cache_mb: 1 },
      ): Promise<EmbeddingCachePolicy> => {
        const { workspace } = await workspaceWith(settings);
        const { rows } = await pool().query<{ id: string }>(
          "select id from embedding_caches where workspace_id = $1 and ended_at is null",
          [workspace.id],
        );
        return { id: rows[0]?.id ?? "", workspaceId: workspace.id, mostBytes: 5_000, mostAgeMs: null, ...rest };
      };
      const names = async (policy: EmbeddingCachePolicy, asked: readonly string[], now = at) => {
        const { found } = await readVectors(pool(), policy, asked.map(keyOf), now);
        return asked.filter((name) => found.some(({ key }) => key.equals(keyOf(name))));
      };

      it("evict what was used longest ago, and count what is left", async () => {
        const policy = await policyOf({ mostBytes: 1_600 });
        await writeVectors(pool(), policy, [entry("a"), entry("b")], at);
        await writeVectors(pool(), policy, [entry("c")], later(1));
        await touchVectors(pool(), policy, [keyOf("a")], later(2));
        await writeVectors(pool(), policy, [entry("d")], later(3));
        expect(await names(policy, ["a", "b", "c", "d"])).toEqual(["a", "c", "d"]);
        expect(await stateOf(policy.workspaceId)).toMatchObject({ entries: 3, bytes: 1_500 });
      });

      it("hold although the same entry is written again, and although it is larger than all", async () => {
        const policy = await policyOf({ mostBytes: 1_000 });
        await writeVectors(pool(), policy, [entry("a")], at);
        await writeVectors(pool(), policy, [entry("a")], at);
        expect(await stateOf(policy.workspaceId)).toMatchObject({ entries: 1, bytes: 500 });
        await writeVectors(pool(), policy, [entry("large", 2_000)], later(1));
        expect(await stateOf(policy.workspaceId)).toMatchObject({ entries: 0, bytes: 0 });
      });

      it("leave out what is too old, and write the last use once a day", async () => {
        const policy = await policyOf({ mostAgeMs: 2 * dayMs });
        await writeVectors(pool(), policy, [entry("a")], at);
        const read = (days: number) => readVectors(pool(), policy, [keyOf("a")], later(days));
        expect(await read(0.9)).toMatchObject({ found: [{}], stale: [] });
        expect(await read(1.5)).toMatchObject({ found: [{}], stale: [keyOf("a")] });
        expect(await read(2.1)).toMatchObject({ found: [], stale: [] });
        await writeVectors(pool(), policy, [entry("a")], later(3));
        expect((await read(3.5)).found).toHaveLength(1);
        await tidyCaches(gateway().deps.store, later(40));
        expect(await stateOf(policy.workspaceId)).toMatchObject({ entries: 0, bytes: 0 });
      });

      it("apply to a cache whose bound was lowered, and an ended one takes nothing", async () => {
        const policy = await policyOf({ mostBytes: 2_000_000 }, { embedding_cache_mb: 2 });
        const large = Array.from({ length: 12 }, (_, index) => entry(`large ${index}`, 100_000));
        await writeVectors(pool(), policy, large, at);
        expect((await stateOf(policy.workspaceId)).entries).toBe(12);
        await gateway().call("PATCH", `/workspaces/${policy.workspaceId}`, { body: { embedding_cache_mb: 1 } });
        await tidyCaches(gateway().deps.store, at);
        expect(await stateOf(policy.workspaceId)).toMatchObject({ entries: 9, bytes: 901_800 });
        await gateway().call("PATCH", `/workspaces/${policy.workspaceId}`, { body: { embedding_cache_mb: null } });
        await writeVectors(pool(), policy, [entry("late")], at);
        await eventually(
          () => entriesOf(policy.workspaceId),
          (entries) => entries.length === 0,
        );
      });
    });
  },
  { env: { GATEHOUSE_EMBEDDING_CACHE: "0" } },
);

describe("a store that is away", () => {
  const policy: EmbeddingCachePolicy = {
    id: "00000000-0000-4000-8000-00000000000c",
    workspaceId: "00000000-0000-4000-8000-00000000000d",
    mostBytes: 1e6,
    mostAgeMs: null,
  };
  const known = { json: Buffer.from("[1,2]"), promptTokens: 1, space: "vs_1-2" };

  it.each([
    ["fails", () => Promise.reject(new Error("away"))],
    ["never answers", () => new Promise<never>(() => {})],
  ])("that %s is none: it has no vectors, and is not asked again at once", async (_, answer) => {
    let asked = 0;
    const query = () => {
      asked += 1;
      return answer();
    };
    const deps = {
      store: { pool: { query } },
      secrets: createSecretBox(["a secret key of more than thirty-two characters"]),
      now: () => new Date(0),
    };
    const cache = createDurableCache(deps as unknown as Parameters<typeof createDurableCache>[0], 50);
    const turn = takeTurns("owner");
    expect(await cache.find(policy, ["a", "b"], turn)).toEqual(new Map());
    expect(await cache.find(policy, ["a"], turn)).toEqual(new Map());
    cache.keep(policy, "a", known);
    await cache.close();
    expect(asked).toBe(1);
  });
});
