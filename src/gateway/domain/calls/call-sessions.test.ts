import { describe, expect, it } from "vitest";
import { makeClock } from "../../testing/clock.ts";
import { makeContext } from "../../testing/context.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { commitCallsOf } from "../../testing/ledger-calls.ts";
import * as workspaces from "../workspaces/workspaces.ts";
import { list } from "./call-sessions.ts";

type Query = Parameters<typeof list>[1];

let made = 0;

describeGateway("sessions of calls", (gateway) => {
  const clock = makeClock("2027-04-10T12:00:00Z");
  const context = () => makeContext({ ...gateway().deps, now: clock.now });
  const makeWorkspace = async () =>
    (await workspaces.create(context(), { name: "W", slug: `sessions-${(made += 1)}` })).data.id;
  const commit = async (...call: Parameters<typeof commitCallsOf> extends [unknown, ...infer Rest] ? Rest : never) =>
    await commitCallsOf(gateway().deps, ...call);
  const sessions = async (query: Query, most?: number) => await list(context(), query, most);

  describe("the list", () => {
    it("has one record for each session, the latest first, and counts what has none", async () => {
      const workspace = await makeWorkspace();
      await commit(
        workspace,
        "2027-04-01T10:00:00Z",
        { sessionId: "s-1", model: "acme/a", cost: 3n, promptTokens: 5, completionTokens: 7 },
        { sessionId: "s-2" },
        {},
      );
      await commit(workspace, "2027-04-01T11:00:00Z", {
        sessionId: "s-1",
        model: "acme/b",
        status: 502,
        cost: 4n,
        byokCost: 5n,
      });
      const { data, total, counted_since } = await sessions({ workspace_id: workspace });
      expect(data).toEqual([
        {
          session_id: "s-1",
          workspace_id: workspace,
          calls: 2,
          failed: 1,
          cost: 7e-9,
          byok_cost: 5e-9,
          tokens: 12,
          model: "acme/a",
          models: 2,
          first_at: "2027-04-01T10:00:00.000Z",
          last_at: "2027-04-01T11:00:00.000Z",
        },
        expect.objectContaining({ session_id: "s-2", calls: 1, failed: 0, models: 1 }),
      ]);
      expect([total, counted_since]).toEqual([{ sessions: 2, calls: 3, others: 1 }, null]);
    });

    it("tells workspaces apart, follows the filters and the range, and keeps its totals beyond the limit", async () => {
      const [one, other] = [await makeWorkspace(), await makeWorkspace()];
      const keyHash = String(made).padStart(64, "e");
      const at = "2027-04-02T10:00:00.000Z";
      await commit(one, at, { sessionId: "same", keyHash }, { sessionId: "else", status: 429 });
      await commit(other, at, { sessionId: "same", keyHash });
      const ids = async (query: Query) => (await sessions(query)).data.map(({ session_id: id }) => id);
      expect(await ids({ api_key_hash: keyHash })).toEqual(["same", "same"]);
      expect(await ids({ workspace_id: one, status: "429" })).toEqual(["else"]);
      expect(await ids({ workspace_id: one, session_id: "same" })).toEqual(["same"]);
      expect(await ids({ workspace_id: one, until: at })).toEqual([]);
      const first = await sessions({ workspace_id: one, limit: 1 });
      expect([first.data.length, first.total.sessions]).toEqual([1, 2]);
    });

    it("is empty, with totals, where no call has a session", async () => {
      const workspace = await makeWorkspace();
      await commit(workspace, "2027-04-03T10:00:00Z");
      expect(await sessions({ workspace_id: workspace })).toEqual({
        data: [],
        total: { sessions: 0, calls: 0, others: 1 },
        counted_since: null,
      });
    });

    it("looks through the newest calls alone where there are too many, and says since when", async () => {
      const workspace = await makeWorkspace();
      const calls = Array.from({ length: 600 }, (_, minute) => ({
        createdAt: new Date(Date.parse("2027-04-04T00:00:00Z") + minute * 60_000),
        sessionId: `s-${minute}`,
      }));
      await commit(workspace, "2027-04-04T12:00:00Z", ...calls);
      const { total, counted_since } = await sessions({ workspace_id: workspace }, 500);
      const counted = calls.filter(({ createdAt }) => createdAt >= new Date(counted_since ?? 0)).length;
      expect(counted).toBeLessThan(600);
      expect(total.sessions).toBe(counted);
    });
  });
});
