import { expect, it } from "vitest";
import { minuteMs } from "#contract/time.ts";
import { ownContext } from "../../testing/context.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { list } from "./call-sessions.ts";

type Query = Parameters<typeof list>[1];

describeGateway("the list of calls' sessions", (gateway) => {
  const { context, makeWorkspace, commit } = ownContext(gateway, "2027-04-10T12:00:00Z");
  const sessions = async (query: Query, most?: number) => await list(context(), query, most);

  it("has one record for each session, the latest first, and counts what has none", async () => {
    const workspace_id = await makeWorkspace();
    const [first_at, last_at] = ["2027-04-01T10:00:00.000Z", "2027-04-01T11:00:00.000Z"];
    const call = { sessionId: "s-1", model: "acme/a", cost: 3n, promptTokens: 5, completionTokens: 7 };
    await commit(workspace_id, first_at, call, { sessionId: "s-2" }, {});
    await commit(workspace_id, last_at, { sessionId: "s-1", model: "acme/b", status: 502, cost: 4n, byokCost: 5n });
    const figures = { calls: 2, failed: 1, cost: 7e-9, byok_cost: 5e-9, tokens: 12, model: "acme/a", models: 2 };
    expect(await sessions({ workspace_id })).toEqual({
      data: [
        { session_id: "s-1", workspace_id, ...figures, first_at, last_at },
        expect.objectContaining({ session_id: "s-2", calls: 1, failed: 0, models: 1 }),
      ],
      total: { sessions: 2, calls: 3, others: 1 },
      counted_since: null,
    });
  });

  it("tells workspaces apart, follows the filters and the range, and keeps its totals beyond the limit", async () => {
    const [workspace_id, other] = [await makeWorkspace(), await makeWorkspace()];
    const keyHash = workspace_id.padStart(64, "e");
    const at = "2027-04-02T10:00:00.000Z";
    await commit(workspace_id, at, { sessionId: "same", keyHash }, { sessionId: "else", status: 429 });
    await commit(other, at, { sessionId: "same", keyHash });
    const ids = async (query: Query) => (await sessions(query)).data.map(({ session_id: id }) => id);
    expect(await ids({ api_key_hash: keyHash })).toEqual(["same", "same"]);
    expect(await ids({ workspace_id, status: "429" })).toEqual(["else"]);
    expect(await ids({ workspace_id, session_id: "same" })).toEqual(["same"]);
    expect(await ids({ workspace_id, until: at })).toEqual([]);
    const first = await sessions({ workspace_id, limit: 1 });
    expect([first.data.length, first.total.sessions]).toEqual([1, 2]);
  });

  it("is empty, with totals, where no call has a session", async () => {
    const workspace_id = await makeWorkspace();
    await commit(workspace_id, "2027-04-03T10:00:00Z");
    const total = { sessions: 0, calls: 0, others: 1 };
    expect(await sessions({ workspace_id })).toEqual({ data: [], total, counted_since: null });
  });

  it("looks through the newest calls alone where there are too many, and says since when", async () => {
    const workspace_id = await makeWorkspace();
    const begin = Date.parse("2027-04-04T00:00:00Z");
    const calls = Array.from({ length: 600 }, (_, minute) => ({
      createdAt: new Date(begin + minute * minuteMs),
      sessionId: `s-${minute}`,
    }));
    await commit(workspace_id, "2027-04-04T12:00:00Z", ...calls);
    const { total, counted_since } = await sessions({ workspace_id }, 500);
    const counted = calls.filter(({ createdAt }) => createdAt >= new Date(counted_since ?? 0)).length;
    expect(counted).toBeLessThan(600);
    expect(total.sessions).toBe(counted);
  });
});
