import { beforeEach, expect, it } from "vitest";
import { OpenRouter } from "openrouter-sdk-1-3-19";
import { pruneLedger } from "../ledger/prune.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { expectError, expectIssues } from "../../testing/expect-error.ts";
import { makeWorkspace } from "../../testing/factories.ts";
import { commitCallsOf } from "../../testing/ledger-calls.ts";

describeGateway("feedback on calls", (gateway) => {
  let id = "";
  beforeEach(async () => {
    const { id: workspace } = await makeWorkspace(gateway());
    const [call] = await commitCallsOf(gateway().deps, workspace, gateway().clock.now().toISOString());
    id = call?.id ?? "";
  });
  const say = async (body: object) => await gateway().call("POST", "/generation/feedback", { body });
  const said = async (of = id) =>
    (await gateway().call("GET", `/generation/feedback?${new URLSearchParams({ id: of }).toString()}`)).json.data;

  it("submitGenerationFeedback, listGenerationFeedback: 200: is kept, and a second one replaces it", async () => {
    expect(await said()).toEqual([]);
    const answer = await say({ generation_id: id, category: "latency", comment: "  40 s for one word " });
    expect(answer.json).toEqual({ data: { success: true } });
    const [first] = await said();
    expect(first).toMatchObject({
      category: "latency",
      comment: "40 s for one word",
      created_at: gateway().clock.now().toISOString(),
    });
    expect(first.author).toEqual(expect.any(String));
    await say({ generation_id: id, category: "other" });
    expect(await said()).toMatchObject([{ category: "other", comment: null }]);
  });

  it("its comment is sealed in the store, and pruned with the call", async () => {
    await say({ generation_id: id, category: "other", comment: "a plain secret" });
    const { pool } = gateway().deps.store;
    const rows = async () => (await pool.query("select * from generation_feedback where id = $1", [id])).rows;
    expect(JSON.stringify(await rows())).not.toContain("plain secret");
    const before = gateway().clock.now();
    gateway().clock.advance(70 * 86_400_000);
    await pruneLedger(gateway().deps, { before: new Date(before.getTime() + 1) });
    expect(await rows()).toEqual([]);
  });

  it("404: a call that there is not", async () =>
    expectError(await say({ generation_id: "gen-none", category: "other" }), "not_found", /no generation/));

  it("400: what is no feedback, by its member", async () => {
    expectIssues(await say({ generation_id: id, category: "rude" }), "category");
    expectIssues(await say({ generation_id: id, category: "other", comment: "x".repeat(1_001) }), "comment");
    expectIssues(await say({ generation_id: "", category: "other" }), "generation_id");
    expectIssues(await say({ generation_id: id, category: "other", surprise: 1 }), "surprise");
  });

  it("the official client gives it", async () => {
    const { managementKey: apiKey, url } = gateway();
    const client = new OpenRouter({ apiKey, serverURL: `${url}/api/v1`, retryConfig: { strategy: "none" } });
    const submitGenerationFeedbackRequest = { generationId: id, category: "formatting" } as const;
    const { data } = await client.generations.submitFeedback({ submitGenerationFeedbackRequest });
    expect(data.success).toBe(true);
  });
});
