import { sql } from "kysely";
import { expect, it } from "vitest";
import { toNanoUsd } from "#contract/money.ts";
import { ReportGroup } from "#contract/usage-report.ts";
import { ownContext } from "../../testing/context.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { makeKey } from "../../testing/factories.ts";
import * as usageReport from "./usage-report.ts";

describeGateway("a report of usage", (gateway) => {
  const { clock, context, makeWorkspace, commit } = ownContext(gateway);
  const month = { since: "2027-10-01T00:00:00Z", until: "2027-11-01T00:00:00Z" };
  const groups = ReportGroup.options;

  /** Sixty calls of every kind, in and around October 2027. */
  async function workspaceWithCalls() {
    clock.set("2027-11-20T12:30:00Z");
    const workspaceId = await makeWorkspace();
    const made = [
      await makeKey(gateway(), { workspace_id: workspaceId, creator_user_id: "ana" }),
      await makeKey(gateway(), { workspace_id: workspaceId }),
    ];
    const hashes = [...made.map(({ record }) => record.hash), "f".repeat(64)];
    const one = <T>(from: readonly T[], index: number) => from[index % from.length] as T;
    for (let index = 0; index < 60; index += 1) {
      const at = new Date(Date.parse("2027-08-30T00:00:00Z") + index * 29 * 3_600_000 + (index % 7) * 599_999);
      await commit(workspaceId, at.toISOString(), {
        createdAt: new Date(at.getTime() - (index % 5) * 3_000_000),
        keyHash: one(hashes, index),
        model: one(["acme/embed", "acme/talk", "other/talk"], Math.floor(index / 2)),
        provider: one(["acme", "other", ""], index + 1),
        status: index % 6 === 0 ? 502 : 200,
        cost: BigInt(index) * 1_000_000_007n + 1n,
        byokCost: BigInt(index % 3) * 13n,
        promptTokens: index * 10,
        cachedTokens: index,
        completionTokens: index * 3,
        reasoningTokens: index % 4,
        sessionId: one(["chat-1", "chat-2", null], index),
        appTitle: one(["Search", null], index),
      });
    }
    return workspaceId;
  }

  async function ledgerOf(workspaceId: string, since: string, until: string) {
    const { rows } = await sql<Record<string, bigint>>`
      select sum(cost)::int8 as cost, sum(byok_cost)::int8 as byok, count(*) as calls,
        count(*) filter (where status >= 400) as failures, sum(cached_tokens)::int8 as cached
      from ledger where workspace_id = ${workspaceId} and settled_at >= ${since} and settled_at < ${until}`.execute(
      gateway().deps.store.db,
    );
    return rows[0] ?? {};
  }

  it("adds up to the ledger, to the nano-dollar, by any one grouping and by any two", async () => {
    const workspace_id = await workspaceWithCalls();
    const ledger = await ledgerOf(workspace_id, month.since, month.until);
    const earlier = await ledgerOf(workspace_id, "2027-08-31T00:00:00Z", month.since);
    const pairs = groups.flatMap((first) =>
      [undefined, ...groups.filter((one) => one !== first)].map((second) => [first, second] as const),
    );
    for (const [group_by, then_by] of pairs) {
      const query = { workspace_id, ...month, group_by, ...(then_by !== undefined && { then_by }), limit: 1_000 };
      const { data } = await usageReport.get(context(), query);
      const sum = (pick: (row: (typeof data.rows)[number]) => number) =>
        data.rows.reduce((all, row) => all + toNanoUsd(pick(row)), 0n);
      const count = (pick: (row: (typeof data.rows)[number]) => number) =>
        BigInt(data.rows.reduce((all, row) => all + pick(row), 0));
      const summed = {
        cost: sum((row) => row.total.usage),
        byok: sum((row) => row.total.byok_usage),
        calls: count((row) => row.total.requests),
        failures: count((row) => row.total.failures),
        cached: count((row) => row.total.cached_tokens),
      };
      expect([group_by, then_by, summed]).toEqual([group_by, then_by, ledger]);
      expect([toNanoUsd(data.total.usage), BigInt(data.total.requests)]).toEqual([ledger["cost"], ledger["calls"]]);
      expect(toNanoUsd(data.previous.usage)).toBe(earlier["cost"]);
      expect([data.uncounted, data.row_count]).toEqual([null, data.rows.length]);
    }
  });

  it("has totals of every call, also where the list is cut, and every row once on its pages", async () => {
    const workspace_id = await workspaceWithCalls();
    const query = { workspace_id, ...month, group_by: "key", then_by: "model" } as const;
    const whole = (await usageReport.get(context(), query)).data;
    const cut = (await usageReport.get(context(), { ...query, limit: 2 })).data;
    expect(cut.rows).toEqual(whole.rows.slice(0, 2));
    expect([cut.total, cut.row_count, cut.next_cursor]).toEqual([whole.total, whole.rows.length, null]);
    const read: unknown[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const { data } = await usageReport.get(context(), { ...query, sort: "id", limit: 2, cursor });
      read.push(...data.rows);
      cursor = data.next_cursor;
    }
    expect(read).toHaveLength(whole.rows.length);
    expect(new Set(read.map((row) => JSON.stringify(row)))).toEqual(
      new Set(whole.rows.map((row) => JSON.stringify(row))),
    );
  });

  it("is in the order asked for, and names what has a name", async () => {
    const workspace_id = await workspaceWithCalls();
    const ordered = async (sort: "usage" | "failures" | "change" | "name", order?: "asc") => {
      const query = { workspace_id, ...month, group_by: "key", sort, ...(order && { order }) } as const;
      return (await usageReport.get(context(), query)).data.rows;
    };
    const falling = (values: readonly number[]) => values.toSorted((a, b) => b - a);
    for (const [sort, value] of [
      ["usage", (row) => row.total.usage],
      ["failures", (row) => row.total.failures],
      ["change", (row) => row.total.usage - (row.previous?.usage ?? 0)],
    ] as const satisfies [string, (row: Awaited<ReturnType<typeof ordered>>[number]) => number][]) {
      const values = (await ordered(sort)).map(value);
      expect(values).toEqual(falling(values));
      expect((await ordered(sort, "asc")).map(value)).toEqual(values.toReversed());
    }
    const names = (await ordered("name")).map(({ groups: [key] }) => (key?.name ?? key?.id ?? "").toLowerCase());
    expect(names).toEqual(names.toSorted());
    const { data } = await usageReport.get(context(), {
      workspace_id,
      ...month,
      group_by: "creator",
      then_by: "workspace",
    });
    expect(data.rows.map(({ groups: [creator] }) => creator?.id).toSorted()).toEqual(["ana", null]);
    expect(data.rows[0]?.groups[1]).toEqual({ id: workspace_id, name: "W" });
  });

  it("says what it has not counted by session where there are more calls than are read", async () => {
    const workspace_id = await makeWorkspace();
    clock.set("2027-12-20T12:00:00Z");
    const calls = (count: number, sessionId: string) =>
      Array.from({ length: count }, () => ({ sessionId, cost: 5n, promptTokens: 1 }));
    await commit(workspace_id, "2027-12-01T08:00:00Z", ...calls(300, "early"));
    await commit(workspace_id, "2027-12-05T08:00:00Z", ...calls(501, "late"));
    const query = { workspace_id, since: "2027-12-01T00:00:00Z", group_by: "session" } as const;
    const { data } = await usageReport.get(context(), query, 500);
    expect(data.total.requests).toBe(801);
    expect(data.rows.map(({ groups: [session], total, previous }) => [session?.id, total.requests, previous])).toEqual([
      ["late", 501, null],
    ]);
    expect(data.uncounted).toMatchObject({
      total: { requests: 300, usage: 0.0000015 },
      since: "2027-12-05T08:00:00.000Z",
    });
  });

  it.each([
    [{ until: "2027-09-01T00:00:00Z" }, "until"],
    [{ since: "2026-10-01T00:00:00Z" }, "since"],
    [{ then_by: "key" }, "then_by"],
    [{ cursor: "x" }, "cursor"],
    [{ cursor: "x", sort: "id" }, "cursor"],
    [{ compared_until: "2027-10-01T01:00:00Z" }, "compared_until"],
  ] as const)("is refused with %o", async (wrong, member) => {
    const query = { ...month, group_by: "key", ...wrong } as const;
    await expect(usageReport.get(context(), query)).rejects.toMatchObject({ details: { issues: [{ path: member }] } });
  });
});
