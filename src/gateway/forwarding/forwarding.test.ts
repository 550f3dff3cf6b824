import { afterEach, expect, it } from "vitest";
import { describeOnEngines } from "../testing/engines.ts";
import { type FakeSink, startFakeSink } from "../testing/fake-sink.ts";
import { makeKey, makeWorkspace } from "../testing/makers.ts";
import { withVendor } from "../testing/vendor-setup.ts";

const path = "/observability/destinations";

describeOnEngines("forwarding", (gateway) => {
  const call = (...parameters: Parameters<ReturnType<typeof gateway>["call"]>) => gateway().call(...parameters);
  withVendor(gateway);
  const sinks: FakeSink[] = [];
  const sink = async () => {
    const started = await startFakeSink();
    sinks.push(started);
    return started;
  };
  afterEach(async () => {
    await Promise.all(sinks.splice(0).map((each) => each.close()));
  });

  /** A workspace with a key of its own and a webhook at the sink. */
  const setUp = async (to: FakeSink, more: Record<string, unknown> = {}) => {
    const workspace = await makeWorkspace(gateway());
    const key = await makeKey(gateway(), { workspace_id: workspace.id });
    const made = await call("POST", path, {
      body: {
        name: "Sink",
        type: "webhook",
        config: { url: `${to.url}/v1/traces` },
        workspace_id: workspace.id,
        ...more,
      },
    });
    expect(made.status, made.text).toBe(201);
    return { workspace, key: key.key, hash: key.record.hash, destination: made.json.data };
  };
  const embed = async (key: string, body: Record<string, unknown> = {}) => {
    const answer = await call("POST", "/embeddings", { key, body: { model: "acme/embed", input: "hello", ...body } });
    expect(answer.status, answer.text).toBe(200);
    return answer.json.id as string;
  };
  const chat = async (key: string, content: string, body: Record<string, unknown> = {}) => {
    const answer = await call("POST", "/chat/completions", {
      key,
      body: { model: "acme/talk", messages: [{ role: "user", content }], ...body },
    });
    expect(answer.status, answer.text).toBe(200);
    return answer.json.id as string;
  };

  it("sends embedding calls and chat calls as OTLP spans, with their bodies", async () => {
    const to = await sink();
    const { key } = await setUp(to);
    const ids = [await embed(key), await chat(key, "what is a gatehouse", { session_id: "s1", user: "u1" })];
    await to.until(2);
    expect(new Set(to.accepted)).toEqual(new Set(ids));
    const text = to.requests.map((request) => request.text).join("\n");
    expect(text).toContain("what is a gatehouse");
    expect(text).toContain('"gen_ai.operation.name"');
  });
});
