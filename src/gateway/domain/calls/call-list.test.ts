import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { toUsd } from "#contract/money.ts";
import { minuteMs } from "#contract/time.ts";
import { ownContext } from "../../testing/context.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { insertCopies } from "../../testing/insert-copies.ts";
import * as keys from "../keys/keys.ts";
import { Refusal } from "../refusal.ts";
import { list } from "./call-list.ts";
import { suggest } from "./call-suggestions.ts";
import * as counts from "./counts.ts";
import { createRefusedCallCounter } from "./refused-call-counter.ts";

type Query = Parameters<typeof list>[1];
type Entry = Awaited<ReturnType<typeof list>>["data"][number];

const makeHash = () => randomUUID().replaceAll("-", "").padEnd(64, "0");
const instantOf = (entry: Entry) => (entry.kind === "call" ? entry.call.created_at : entry.refused.first_at);
const idOf = (entry: Entry) => (entry.kind === "call" ? entry.call.id : entry.id);

describeGateway("listCalls: calls made and refused", (gateway) => {
  const { context, makeWorkspace, commit } = ownContext(gateway, "2027-04-10T12:00:00Z");

  async function refuse(workspaceId: string, at: string, status: "not_found" | "rate_limit_exceeded", keyHash: string) {
    const counter = createRefusedCallCounter(
      gateway().deps.store,
      () => new Date(at),
      () => {},
    );
    counter.count({ workspaceId, keyHash, requestId: "req-1" }, new Refusal(status, "no"));
    await counter.close();
  }

  async function every(query: Query, most?: number): Promise<Entry[]> {
    const found: Entry[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof list>> = await list(
        context(),
        { ...query, ...(cursor !== null && { cursor }) },
        most,
      );
      found.push(...page.data);
      cursor = page.next_cursor;
    } while (cursor !== null);
    return found;
  }

  /** Calls of two hours, made and refused, several of them at the same instants. */
  async function mixed() {
    const workspace_id = await makeWorkspace();
    const keyHashes = [makeHash(), makeHash()] as const;
    const begin = Date.parse("2027-04-01T08:00:00Z");
    const calls = Array.from({ length: 40 }, (_, index) => ({
      createdAt: new Date(begin + (index % 25) * 3 * minuteMs),
      keyHash: keyHashes[index % 2] ?? "",
      model: index % 3 === 0 ? "acme/talk" : "acme/embed",
      status: index % 5 === 0 ? 502 : 200,
      errorType: index % 5 === 0 ? ("provider_error" as const) : null,
      cost: BigInt((index * 7) % 11) * 1_000n,
      promptTokens: (index * 5) % 17,
      completionTokens: index % 3,
      durationMs: (index * 13) % 29,
    }));
    await commit(workspace_id, "2027-04-01T11:00:00Z", ...calls);
    for (let index = 0; index < 30; index += 1) {
      const at = new Date(begin + (index % 20) * 3 * minuteMs).toISOString();
      await refuse(workspace_id, at, index % 4 === 0 ? "not_found" : "rate_limit_exceeded", keyHashes[index % 2] ?? "");
    }
    return { workspace_id, keyHashes };
  }

  it("has each call and each refused one once, newest first, whatever the size of a page, as many as are counted", async () => {
    const { workspace_id, keyHashes } = await mixed();
    const [whole, total] = [await every({ workspace_id }), (await counts.get(context(), { workspace_id })).total];
    expect(whole.map(instantOf)).toEqual(whole.map(instantOf).toSorted().toReversed());
    for (const limit of [1, 2, 7]) expect((await every({ workspace_id, limit })).map(idOf)).toEqual(whole.map(idOf));
    const refusedOf = (entries: readonly Entry[]) =>
      entries.reduce((sum, entry) => sum + (entry.kind === "refused" ? entry.refused.count : 0), 0);
    expect(whole.filter(({ kind }) => kind === "call")).toHaveLength(40);
    expect(refusedOf(whole)).toBe(30);
    expect(total).toMatchObject({ answered: 32, failed: 8, refused: 30 });
    for (const [filter, made, refused] of [
      [{ status: "failed" }, 8, 30],
      [{ status: "refused" }, 0, 30],
      [{ status: "404" }, 0, 8],
      [{ reason: "provider_error" }, 8, 0],
      [{ reason: "not_found" }, 0, 8],
      [{ api_key_hash: keyHashes[0] }, 20, 15],
      [{ model: "acme/talk" }, 14, 0],
      [{ status: "succeeded" }, 32, 0],
    ] as [Query, number, number][]) {
      const found = await every({ workspace_id, limit: 3, ...filter });
      const of = await counts.get(context(), { workspace_id, ...filter });
      expect([filter, found.filter(({ kind }) => kind === "call").length, refusedOf(found)]).toEqual([
        filter,
        made,
        refused,
      ]);
      expect([of.total.answered + of.total.failed, of.total.refused ?? 0]).toEqual([made, refused]);
    }
  });

  it.each([
    ["cost", (call) => call.cost],
    ["tokens", (call) => call.prompt_tokens + call.completion_tokens],
    ["duration", (call) => call.duration_ms],
  ] as [NonNullable<Query["sort"]>, (call: Extract<Entry, { kind: "call" }>["call"]) => number][])(
    "is ranked by %s over all pages, both ways, and sums to what is counted",
    async (sort, valueOf) => {
      const { workspace_id } = await mixed();
      for (const order of ["desc", "asc"] as const) {
        const found = (await every({ workspace_id, sort, order, limit: 7 })).flatMap((entry) =>
          entry.kind === "call" ? [entry.call] : [],
        );
        const values = found.map(valueOf);
        const wanted = values.toSorted((one, other) => one - other);
        expect(values).toEqual(order === "asc" ? wanted : wanted.toReversed());
        expect(new Set(found.map(({ id }) => id)).size).toBe(40);
        const nano = (usd: number) => Math.round(usd * 1e9);
        const sum = (of: (call: (typeof found)[number]) => number) => found.reduce((all, call) => all + of(call), 0);
        const { sums } = await counts.get(context(), { workspace_id });
        expect(sums).toEqual({
          cost: toUsd(BigInt(sum(({ cost }) => nano(cost)))),
          byok_cost: 0,
          prompt_tokens: sum((call) => call.prompt_tokens),
          cached_tokens: 0,
          completion_tokens: sum((call) => call.completion_tokens),
          reasoning_tokens: 0,
        });
      }
    },
  );

  it("is ranked over the newest calls alone where there are too many, and says since when", async () => {
    const workspace_id = await makeWorkspace();
    const begin = Date.parse("2027-04-02T00:00:00Z");
    await commit(
      workspace_id,
      "2027-04-02T20:00:00Z",
      ...Array.from({ length: 620 }, (_, index) => ({
        createdAt: new Date(begin + index * minuteMs),
        durationMs: 1_000 - index,
      })),
    );
    const { data, ranked_since } = await list(context(), { workspace_id, sort: "duration", limit: 1 }, 500);
    const [first] = data;
    expect(first?.kind === "call" && Date.parse(first.call.created_at)).toBeGreaterThan(begin + 100 * minuteMs);
    expect(Date.parse(ranked_since ?? "")).toBe(first?.kind === "call" && Date.parse(first.call.created_at));
    expect((await every({ workspace_id, sort: "duration", limit: 100 }, 500)).length).toBeLessThan(620);
  });

  it("finds refused calls alone on the first page, however many calls were made since", async () => {
    const workspace_id = await makeWorkspace();
    await refuse(workspace_id, "2027-04-03T08:00:00Z", "not_found", makeHash());
    await commit(workspace_id, "2027-04-03T10:00:00Z", { createdAt: new Date("2027-04-03T09:00:00Z") });
    const [made] = await every({ workspace_id, status: "succeeded" });
    const others = { id: "'gen-copy-' || n" };
    await insertCopies(gateway(), "ledger", { id: made ? idOf(made) : "", count: 20_001, others });
    const { data, next_cursor } = await list(context(), { workspace_id, status: "refused" });
    expect([data.length, next_cursor]).toEqual([1, null]);
  });

  it("refuses a cursor of another order", async () => {
    const { workspace_id } = await mixed();
    const { next_cursor } = await list(context(), { workspace_id, sort: "cost", limit: 1 });
    for (const query of [{}, { sort: "tokens" }, { sort: "cost", order: "asc" }] as Query[])
      await expect(list(context(), { ...query, cursor: next_cursor ?? "" })).rejects.toMatchObject({ status: 400 });
  });

  describe("suggestCallFilters: the values to find calls by", () => {
    it("have a text in them or in their names, in any case, of one filter or of all", async () => {
      const workspace_id = await makeWorkspace();
      const key = (await keys.create(context(), { name: "Talk_100%", workspace_id })).data;
      await commit(
        workspace_id,
        "2027-04-10T10:00:00Z",
        { model: "acme/talk", sessionId: "talk-1" },
        { model: "acme/talk", sessionId: "s-2" },
        { model: "acme/Talk-large" },
        { model: "acme/embed", appTitle: "Small talk" },
      );
      const found = async (q: string, field?: "model") =>
        (await suggest(context(), { workspace_id, q, ...(field && { field }) })).data.map((one) => [
          one.field,
          one.label,
        ]);
      expect(await found("TALK")).toEqual([
        ["key", "Talk_100%"],
        ["model", "acme/talk"],
        ["model", "acme/Talk-large"],
        ["app", "Small talk"],
        ["session", "talk-1"],
      ]);
      expect(await found("talk", "model")).toHaveLength(2);
      expect(await found("%")).toEqual([["key", "Talk_100%"]]);
      expect(await found("talk'")).not.toContainEqual(["model", "acme/talk"]);
      expect((await suggest(context(), { workspace_id, q: key.hash.slice(0, 12) })).data[0]?.value).toBe(key.hash);
    });
  });
});
