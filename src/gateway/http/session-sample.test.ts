import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { dayMs } from "#contract/time.ts";
import { describeGateway } from "../testing/describe-gateway.ts";
import { expectIssues } from "../testing/expect-error.ts";
import { makeKey, makeWorkspace } from "../testing/factories.ts";
import { commitCallsOf } from "../testing/ledger-calls.ts";

const path = "/observability/destinations/sessions";

/** Where a hash falls, by another way than the contract's. */
const positionOf = (id: string) =>
  Number(BigInt(`0x${createHash("sha256").update(id).digest("hex")}`) >> 208n) / 2 ** 48;

describeGateway("sessions as sampling takes them", (gateway) => {
  const sample = (body: object) => gateway().call("POST", path, { body });
  /** An instant so many milliseconds before the gateway's. */
  const ago = (ms: number) => new Date(gateway().clock.now().getTime() - ms).toISOString();
  const calls = (workspace: { id: string }, ms: number, ...more: Parameters<typeof commitCallsOf>[3][]) =>
    commitCallsOf(gateway().deps, workspace.id, ago(ms), ...more);

  describe("sampleSessions", () => {
    it("200: groups the calls of a day by session, trace or call, newest first, with where each falls", async () => {
      const workspace = await makeWorkspace(gateway());
      const elsewhere = await makeWorkspace(gateway());
      await calls(workspace, dayMs + 1_000, { sessionId: "yesterday" });
      await calls(workspace, 5_000, { sessionId: "first" });
      const [alone] = await calls(workspace, 4_000, {});
      await calls(workspace, 3_000, { trace: { trace_id: "t", more: "x".repeat(900) } });
      await calls(workspace, 2_000, { sessionId: "first", trace: { trace_id: "t" } });
      await calls(workspace, 1_000, { trace: { trace_id: "t" } });
      await calls(elsewhere, 1_000, { sessionId: "not mine" });
      const answer = await sample({ workspace_id: workspace.id });
      expect(answer.status, answer.text).toBe(200);
      expect(answer.json.data).toEqual({
        sessions: [
          { last_at: ago(1_000), calls: 2, position: positionOf("trace:t") },
          { last_at: ago(2_000), calls: 2, position: positionOf("session:first") },
          { last_at: ago(4_000), calls: 1, position: positionOf(`call:${alone?.id}`) },
        ],
        examined: 5,
        more_calls: false,
        more_sessions: false,
      });
    });

    it("200: takes the calls that the unsaved keys and rules let through", async () => {
      const workspace = await makeWorkspace(gateway());
      const [mine, other] = [await makeKey(gateway()), await makeKey(gateway())];
      await calls(workspace, 3_000, { sessionId: "a", keyHash: mine.record.hash, model: "acme/talk" });
      await calls(workspace, 2_000, { sessionId: "b", keyHash: mine.record.hash });
      await calls(workspace, 1_000, { sessionId: "c", keyHash: other.record.hash, model: "acme/talk" });
      const rules = { groups: [{ rules: [{ field: "model", operator: "equals", value: "acme/talk" }] }] };
      const positions = async (body: object) => {
        const { data } = (await sample({ workspace_id: workspace.id, ...body })).json;
        return [data.sessions.map(({ position }: { position: number }) => position), data.examined];
      };
      const [a, b, c] = ["session:a", "session:b", "session:c"].map(positionOf);
      expect(await positions({})).toEqual([[c, b, a], 3]);
      expect(await positions({ filter_rules: rules })).toEqual([[c, a], 3]);
      expect(await positions({ api_key_hashes: [mine.record.hash] })).toEqual([[b, a], 2]);
      expect(await positions({ api_key_hashes: [mine.record.hash], filter_rules: rules })).toEqual([[a], 2]);
    });

    it("200: looks at the latest 2,000 calls, shows 240 sessions, and says what it left out", async () => {
      const workspace = await makeWorkspace(gateway());
      expect((await sample({ workspace_id: workspace.id })).json.data).toEqual({
        sessions: [],
        examined: 0,
        more_calls: false,
        more_sessions: false,
      });
      // all at one instant: then the id decides which are the latest
      await calls(workspace, 60_000, ...Array.from({ length: 1_500 }, (_, at) => ({ sessionId: `s-${at % 240}` })));
      await calls(workspace, 50_000, ...Array.from({ length: 500 }, (_, at) => ({ sessionId: `s-${at % 240}` })));
      const all = (await sample({ workspace_id: workspace.id })).json.data;
      expect(all).toMatchObject({ examined: 2_000, more_calls: false, more_sessions: false });
      expect(all.sessions).toHaveLength(240);
      expect(all.sessions.reduce((sum: number, one: { calls: number }) => sum + one.calls, 0)).toBe(2_000);
      await calls(workspace, 40_000, { sessionId: "the latest" });
      const cut = (await sample({ workspace_id: workspace.id })).json.data;
      expect(cut).toMatchObject({ examined: 2_000, more_calls: true, more_sessions: true });
      expect(cut.sessions).toHaveLength(240);
      expect(cut.sessions[0]).toEqual({ last_at: ago(40_000), calls: 1, position: positionOf("session:the latest") });
    });

    it("400: names what is wrong", async () => {
      const rules = { groups: [{ rules: [{ field: "model", operator: "regex", value: "(" }] }] };
      expectIssues(await sample({ filter_rules: rules }), "filter_rules.groups.0.rules.0.value");
      expectIssues(await sample({ workspace_id: "here" }), "workspace_id");
      expectIssues(await sample({ workspace_id: "00000000-0000-4000-8000-000000000000" }), "workspace_id");
    });
  });

  describe("getDeliveryOutcome", () => {
    it("200: says where the call's session falls, and each destination's rate", async () => {
      const workspace = await makeWorkspace(gateway());
      for (const [name, sampling_rate] of [
        ["all", 1],
        ["some", 0.1],
      ] as const) {
        const config = { url: "http://127.0.0.1:9/" };
        const body = { name, type: "webhook", config, workspace_id: workspace.id, sampling_rate, enabled: false };
        expect((await gateway().call("POST", "/observability/destinations", { body })).status).toBe(201);
      }
      const [made] = await calls(workspace, 0, { sessionId: "s" });
      const answer = await gateway().call("GET", `/observability/delivery-outcome?generation_id=${made?.id}`);
      expect(answer.json.data).toMatchObject({
        position: positionOf("session:s"),
        destinations: expect.arrayContaining([
          expect.objectContaining({ name: "all", sampling_rate: 1 }),
          expect.objectContaining({ name: "some", sampling_rate: 0.1 }),
        ]),
      });
    });
  });
});
