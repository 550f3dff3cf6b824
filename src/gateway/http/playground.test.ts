import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { playgroundHeader } from "#contract/embeddings.ts";
import { describeGateway } from "../testing/describe-gateway.ts";
import { patience } from "../testing/eventually.ts";
import { expectError, expectIssues } from "../testing/expect-error.ts";

const body = { model: "gatehouse/lexical", input: "container held at customs" };

describeGateway("createEmbeddings from a console session", (gateway) => {
  let session: Record<string, string>;
  let workspace: string;
  beforeAll(async () => {
    const signedIn = await gateway().call("POST", "/session", {
      key: null,
      body: { management_key: gateway().managementKey },
    });
    session = {
      cookie: signedIn.headers.getSetCookie()[0]?.split(";")[0] ?? "",
      "x-csrf-token": signedIn.json.data.csrf_token,
    };
    const made = await gateway().call("POST", "/workspaces", { body: { name: "Trials", slug: "trials" } });
    workspace = made.json.data.id;
  });

  const embed = (headers: Record<string, string> = {}, sent: unknown = body) =>
    gateway().call("POST", "/embeddings", {
      key: null,
      body: sent,
      headers: { ...session, [playgroundHeader]: workspace, ...headers },
    });
  const keys = async () => (await gateway().call("GET", `/keys?workspace_id=${workspace}`)).json.data;

  it("200: through a key that is made on first use, once, listed, limited and metered", async () => {
    const answers = await Promise.all([embed(), embed(), embed()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const listed = await keys();
    const own = { name: "Playground", purpose: "playground", limit: 10, limit_reset: "monthly" };
    expect(listed).toMatchObject([own]);
    const id = answers[0]?.headers.get("x-generation-id");
    const call = await gateway().call("GET", `/generation?id=${id}`);
    expect(call.json.data).toMatchObject({ model: "gatehouse/lexical", api_type: "embeddings" });
    const calls = await gateway().call("GET", `/generations?id=${id}&workspace_id=${workspace}`);
    expect(calls.json.data).toMatchObject([{ key_name: "Playground", key_purpose: "playground" }]);
    // which is no caller's first call
    const overview = await gateway().call("GET", `/overview?workspace_id=${workspace}`);
    expect(overview.json.data).toMatchObject({ used: true, called: false });
    const counted = await gateway().call("GET", `/keys/count?workspace_id=${workspace}`);
    expect(counted.json.data.all.count).toBe(1);
    const audit = await gateway().call("GET", `/audit?target_id=${listed[0].hash}`);
    expect(audit.json.data).toMatchObject([{ action: "createKeys", actor: expect.any(String) }]);
  });

  it("402: past its limit", async () => {
    const [key] = await keys();
    await gateway().call("PATCH", `/keys/${key.hash}`, { body: { limit: 0 } });
    expect((await embed()).status).toBe(200);
    await gateway().call("POST", "/providers", {
      body: {
        slug: "priced",
        name: "Priced",
        kind: "openai-compatible",
        base_url: "http://127.0.0.1:9/v1",
        models: [{ id: "priced/embed", upstream_id: "e", type: "embedding", pricing: { prompt: "0.01" } }],
      },
    });
    expectError(await embed({}, { ...body, model: "priced/embed" }), "payment_required", /limit/);
    await gateway().call("PATCH", `/keys/${key.hash}`, { body: { limit: 10 } });
  });

  it("403: once its key is disabled or has expired, as the session is still good; and a deleted one is made anew", async () => {
    const [key] = await keys();
    await gateway().call("PATCH", `/keys/${key.hash}`, { body: { disabled: true } });
    const refused = await embed();
    expectError(refused, "permission_denied", /playground's key .*is disabled/);
    expect(refused.json.error.metadata.reason).toBe("playground_key");
    const soon = new Date(gateway().clock.now().getTime() + 600_000).toISOString().slice(0, 19);
    await gateway().call("PATCH", `/keys/${key.hash}`, { body: { disabled: false, expires_at: `${soon}Z` } });
    expect((await embed()).status).toBe(200);
    gateway().clock.advance(601_000);
    expectError(await embed(), "permission_denied", /playground's key .*expired on/);
    await vi.waitFor(
      async () => {
        const { data } = (await gateway().call("GET", `/refused-calls?workspace_id=all&api_key_hash=${key.hash}`)).json;
        expect(data).toContainEqual(expect.objectContaining({ reason: "playground_key", status: 403, count: 2 }));
      },
      { timeout: patience, interval: 100 },
    );
    await gateway().call("DELETE", `/keys/${key.hash}`);
    expect((await embed()).status).toBe(200);
    const [next] = await keys();
    expect(next.hash).not.toBe(key.hash);
  });

  it("409: nobody holds its plaintext, so it cannot be replaced", async () => {
    const [key] = await keys();
    const answer = await gateway().call("POST", `/keys/${key.hash}/rotate`, { body: { grace_seconds: 0 } });
    expectError(answer, "conflict", /nothing to replace/);
  });

  it("403: without the session's token, and for speech", async () => {
    expectError(await embed({ "x-csrf-token": "other" }), "permission_denied", /X-CSRF-Token/);
    const chat = await gateway().call("POST", "/chat/completions", {
      key: null,
      body: { model: "x", messages: [{ role: "user", content: "hi" }] },
      headers: { ...session, [playgroundHeader]: workspace },
    });
    expectError(chat, "not_found", /x/);
    const spoken = await gateway().call("POST", "/audio/speech", {
      key: null,
      body: { model: "x", voice: "alloy", input: "hi" },
      headers: { ...session, [playgroundHeader]: workspace },
    });
    expectError(spoken, "permission_denied", /embeds, reranks and chats only/);
  });

  it("401: a session that names no workspace, and a workspace without a session", async () => {
    const { cookie } = session;
    const plain = { key: null, body, headers: { ...session, cookie: cookie ?? "" } };
    expectError(await gateway().call("POST", "/embeddings", plain), "authentication", /Missing Authentication header/);
    const alone = { key: null, body, headers: { [playgroundHeader]: workspace } };
    expectError(await gateway().call("POST", "/embeddings", alone), "authentication", /Missing Authentication header/);
  });

  it("400: what is not a workspace", async () => {
    expectIssues(await embed({ [playgroundHeader]: "trials" }), playgroundHeader);
    expectIssues(await embed({ [playgroundHeader]: randomUUID() }), "workspace_id");
  });

  describe("deleting the workspace", () => {
    it("400: afterwards, although its key is not expired", async () => {
      expect((await gateway().call("DELETE", `/workspaces/${workspace}`)).status).toBe(200);
      expectIssues(await embed(), "workspace_id");
    });
  });
});
