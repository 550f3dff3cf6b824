import { describe, expect, it } from "vitest";
import { ownContext } from "../../testing/context.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { writeCursor } from "../cursor.ts";
import { newGenerationId } from "../generation-id.ts";
import * as keys from "../keys/keys.ts";
import { rotate } from "../keys/rotation.ts";
import type { LedgerEntry } from "../ledger/entry.ts";
import { WrongSecretKey } from "../secrets/box.ts";
import { list } from "./calls.ts";
import * as generations from "./generations.ts";

type Query = Parameters<typeof list>[1];

describeGateway("calls", (gateway) => {
  const { context, makeWorkspace, commit } = ownContext(gateway, "2027-02-01T12:00:00Z");
  const ids = (entries: readonly { id: string }[]) => entries.map(({ id }) => id);

  describe("the list", () => {
    const found = async (query: Query) => ids((await list(context(), query)).data);

    /** Every page, one after another. */
    async function pages(query: Query, between: () => Promise<unknown> = async () => {}): Promise<string[][]> {
      const read: string[][] = [];
      let cursor: string | null = null;
      do {
        const more = cursor === null ? query : { ...query, cursor };
        const page: Awaited<ReturnType<typeof list>> = await list(context(), more);
        read.push(ids(page.data));
        cursor = page.next_cursor;
        await between();
      } while (cursor !== null);
      return read;
    }

    it("has calls of one instant in one order, each once, however small the pages", async () => {
      const [one, other] = [await makeWorkspace(), await makeWorkspace()];
      const at = "2027-01-10T10:00:00.500Z";
      const calls = [...(await commit(one, at, {}, {}, {})), ...(await commit(other, at, {}, {}))];
      const range = { since: at, until: "2027-01-10T10:00:00.501Z" };
      const whole = await found(range);
      expect(whole.toSorted()).toEqual(ids(calls).toSorted());
      for (const limit of [1, 2, 5]) expect((await pages({ ...range, limit })).flat()).toEqual(whole);
    });

    it("goes on where a page ended, whatever was called since", async () => {
      const workspace = await makeWorkspace();
      const calls = [];
      for (const second of [1, 2, 3, 4]) calls.unshift(...(await commit(workspace, `2027-01-11T10:00:0${second}Z`)));
      const more = async () => await commit(workspace, "2027-01-11T11:00:00Z");
      const [first, second, ...rest] = ids(calls);
      expect(await pages({ workspace_id: workspace, limit: 2 }, more)).toEqual([[first, second], rest]);
    });

    it("begins with since and ends before until, to the millisecond", async () => {
      const workspace = await makeWorkspace();
      const early = await commit(workspace, "2027-01-12T09:59:59.999Z");
      const late = await commit(workspace, "2027-01-12T10:00:00.000Z");
      const ten = "2027-01-12T10:00:00.000Z";
      expect(await found({ workspace_id: workspace, since: ten })).toEqual(ids(late));
      expect(await found({ workspace_id: workspace, until: ten })).toEqual(ids(early));
      await expect(found({ since: ten, until: ten })).rejects.toThrow("until must be later than since");
    });

    it("finds a call by its model, provider or failure in the hours in which it began, though it ended hours later", async () => {
      const workspace = await makeWorkspace();
      const slow = { createdAt: new Date("2027-01-13T09:59:59.999Z"), model: "acme/slow", status: 500 };
      for (const end of ["2027-01-13T11:59:59.999Z", "2027-01-13T15:00:00Z"]) {
        const calls = await commit(workspace, end, slow);
        await commit(workspace, "2027-01-13T09:30:00Z", { model: "acme/other", provider: "other" });
        const range = { workspace_id: workspace, since: "2027-01-13T09:59:59.999Z", until: "2027-01-13T10:00:00.000Z" };
        for (const filter of [{}, { model: "acme/slow" }, { provider: "acme" }, { status: "failed" as const }])
          expect(await found({ ...range, ...filter })).toEqual(ids(calls));
        await gateway().deps.store.pool.query("delete from ledger where workspace_id = $1", [workspace]);
      }
    });

    it("tells answered calls from failed ones at status 400, and one status from another", async () => {
      const workspace = await makeWorkspace();
      const statuses = [200, 399, 400, 429, 502];
      await commit(workspace, "2027-01-14T10:00:00Z", ...statuses.map((status) => ({ status })));
      const of = async (status: NonNullable<Query["status"]>) =>
        (await list(context(), { workspace_id: workspace, status })).data.map((call) => call.status).toSorted();
      expect(await of("succeeded")).toEqual([200, 399]);
      expect(await of("failed")).toEqual([400, 429, 502]);
      expect(await of("429")).toEqual([429]);
      expect(await of("503")).toEqual([]);
    });

    it("combines filters, and stays within the workspace that is asked for", async () => {
      const [one, other] = [await makeWorkspace(), await makeWorkspace()];
      const keyHash = one.padStart(64, "b");
      const call = { keyHash, model: "acme/talk", sessionId: "s-1" };
      const at = "2027-01-15T10:00:00Z";
      const [wanted] = await commit(one, at, call, { ...call, sessionId: "s-2" }, { ...call, model: "acme/embed" });
      await commit(other, at, call);
      const query = { api_key_hash: keyHash, model: "acme/talk", session_id: "s-1" };
      expect(await found({ ...query, workspace_id: one })).toEqual([wanted?.id]);
      expect(await found(query)).toHaveLength(2);
      expect(await found({ ...query, workspace_id: one, provider: "other" })).toEqual([]);
      expect(await found({ ...query, id: wanted?.id ?? "", workspace_id: other })).toEqual([]);
    });

    const at = "2027-01-15T10:00:00.000Z";
    it.each([
      ["of another list", writeCursor("keys", [at, "gen-1"])],
      ["of a day that is none", writeCursor("generations", ["2027-02-30T10:00:00.000Z", "gen-1"])],
      ["of one part", writeCursor("generations", [at])],
      ["with a character that is none", writeCursor("generations", [at, "gen-1\0"])],
      ["that no list wrote", "e30"],
    ])("refuses a cursor %s", async (_, cursor) => {
      const refused = { status: 400, details: { issues: [{ path: "cursor" }] } };
      await expect(list(context(), { cursor })).rejects.toMatchObject(refused);
    });
  });

  describe("one generation", () => {
    const ordinary = ({ hash: keyHash, workspace_id: workspaceId }: { hash: string; workspace_id: string }) =>
      context({ kind: "ordinary", keyHash, name: "key", workspaceId });
    const makeKey = async (workspace_id: string) => (await keys.create(context(), { name: "key", workspace_id })).data;
    const kept = (body: object) => ({ json: JSON.stringify(body), forwarded: false, logged: true });

    it("says what was charged in dollars, and what did not happen as null", async () => {
      const workspace = await makeWorkspace();
      const [own, byok, mixed] = await commit(
        workspace,
        "2027-01-20T10:00:00.123Z",
        { cost: 1_500_000_000n, saved: 1n, status: 502, provider: "", errorType: "provider_unavailable" },
        { byok: true, byokCost: 20n, provider: "gatehouse", httpReferer: "https://app.example" },
        { byok: false, cost: 30n, byokCost: 20n, provider: "gatehouse" },
      );
      const record = async (entry: LedgerEntry | undefined) => (await generations.get(context(), entry?.id ?? "")).data;
      expect(await record(own)).toMatchObject({
        created_at: "2027-01-20T10:00:00.123Z",
        provider_name: null,
        total_cost: 1.5,
        upstream_inference_cost: null,
        cache_discount: 1e-9,
        is_byok: false,
        origin: "",
        status: 502,
        error_type: "provider_unavailable",
      });
      expect(await record(byok)).toMatchObject({
        provider_name: "Gatehouse",
        total_cost: 0,
        upstream_inference_cost: 2e-8,
        cache_discount: null,
        is_byok: true,
        origin: "https://app.example",
      });
      // An own key billed a part of it, and the shared key served the rest.
      expect(await record(mixed)).toMatchObject({ total_cost: 3e-8, upstream_inference_cost: 2e-8, is_byok: false });
    });

    it("is read within the caller's workspace; elsewhere it is as unknown as one that never was", async () => {
      const [one, other] = [await makeWorkspace(), await makeWorkspace()];
      const [call] = await commit(one, "2027-01-20T11:00:00Z");
      const id = call?.id ?? "";
      expect((await generations.get(ordinary(await makeKey(one)), id)).data.id).toBe(id);
      const stranger = ordinary(await makeKey(other));
      const missing = "There is no generation with this id";
      for (const unknown of [id, newGenerationId(new Date("2027-01-20T11:00:00Z")), "gen-1"]) {
        await expect(generations.get(stranger, unknown)).rejects.toThrow(missing);
        await expect(generations.content(stranger, unknown)).rejects.toThrow(missing);
      }
    });

    it("lets its bodies be read by the key that made it, by its successor, and by management keys alone", async () => {
      const workspace = await makeWorkspace();
      const maker = await makeKey(workspace);
      const spendId = "select spend_id from api_keys where hash = $1";
      const { rows } = await gateway().deps.store.pool.query<{ spend_id: string }>(spendId, [maker.hash]);
      const [call] = await commit(workspace, "2027-01-20T12:00:00Z", {
        keyHash: maker.hash,
        spendId: rows[0]?.spend_id ?? "",
        body: kept({ input: ["what was asked"], output: null, error: null }),
      });
      const id = call?.id ?? "";
      const successor = (await rotate(context(), maker.hash, { grace_seconds: 60 })).data;
      for (const ctx of [ordinary(maker), ordinary(successor), context()])
        expect((await generations.content(ctx, id)).data.input).toEqual({ prompt: "what was asked", messages: [] });
      const colleague = ordinary(await makeKey(workspace));
      await expect(generations.content(colleague, id)).rejects.toMatchObject({ status: 403 });
      expect((await generations.get(colleague, id)).data.id).toBe(id);
    });

    it("has its bodies in the public API's form, chat and embeddings, and says why there are none", async () => {
      const workspace = await makeWorkspace();
      const messages = [{ role: "user", content: "hi" }];
      const error = { code: 502, message: "nobody answered" };
      const said = [{ message: { content: "hello " } }, { message: { content: "there" } }];
      const [chat, embeddings, none] = await commit(
        workspace,
        "2027-01-20T13:00:00Z",
        { apiType: "completions", body: kept({ input: messages, output: said, error: null }) },
        { body: kept({ input: ["one", { content: 2 }], output: null, error }) },
        {},
      );
      const content = async (entry: LedgerEntry | undefined) => await generations.content(context(), entry?.id ?? "");
      expect((await content(chat)).data).toEqual({
        input: { prompt: "", messages },
        output: { completion: "hello there", reasoning: null },
        error: null,
      });
      expect((await content(embeddings)).data).toEqual({
        input: { prompt: 'one\n{"content":2}', messages: [] },
        output: { completion: null, reasoning: null },
        error,
      });
      await expect(content(none)).rejects.toThrow(/are not kept: its workspace did not ask for that/);
      // another call's bodies, copied into its place, are not taken for its own
      await gateway().deps.store.pool.query(
        "update generation_contents set sealed = (select sealed from generation_contents where id = $1) where id = $2",
        [chat?.id, embeddings?.id],
      );
      await expect(content(embeddings)).rejects.toThrow(WrongSecretKey);
    });
  });
});
