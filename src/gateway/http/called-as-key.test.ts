import { beforeAll, expect, it, vi } from "vitest";
import { playgroundHeader, playgroundKeyHeader } from "#contract/embeddings.ts";
import { describeGateway } from "../testing/describe-gateway.ts";
import { patience } from "../testing/eventually.ts";
import { expectError, expectIssues } from "../testing/expect-error.ts";
import { startFakeVendor } from "../testing/fake-vendor.ts";

describeGateway("createChatCompletion from a console session, as a key", (gateway) => {
  let session: Record<string, string>;
  let [workspace, hash] = ["", ""];
  beforeAll(async () => {
    const signedIn = await gateway().call("POST", "/session", {
      key: null,
      body: { management_key: gateway().managementKey },
    });
    session = {
      cookie: signedIn.headers.getSetCookie()[0]?.split(";")[0] ?? "",
      "x-csrf-token": signedIn.json.data.csrf_token,
    };
    const vendor = await startFakeVendor();
    const pricing = { prompt: "0.001", completion: "0.001" };
    await gateway().call("POST", "/providers", {
      body: {
        slug: "talking",
        name: "Talking",
        kind: "openai-compatible",
        base_url: vendor.baseUrl,
        models: [{ id: "talking/talk", upstream_id: "talk", type: "chat", pricing }],
      },
    });
    workspace = (await gateway().call("POST", "/workspaces", { body: { name: "Chats", slug: "chats" } })).json.data.id;
    hash = (await make({ workspace_id: workspace })).hash;
    return () => vendor.close();
  });

  const make = async (members: object) =>
    (await gateway().call("POST", "/keys", { body: { name: "support-bot", ...members } })).json.data;
  const chat = (headers: Record<string, string> = {}, path = "/chat/completions") =>
    gateway().call("POST", path, {
      key: null,
      body: { model: "talking/talk", messages: [{ role: "user", content: "hi" }], max_tokens: 10 },
      headers: { ...session, [playgroundHeader]: workspace, [playgroundKeyHeader]: hash, ...headers },
    });

  it("200: charged to that key, on the ledger as made from the console, audited once, and never with a plaintext", async () => {
    const answer = await chat({ "x-title": "somebody else", "http-referer": "https://elsewhere.example" });
    expect(answer.status).toBe(200);
    const id = answer.headers.get("x-generation-id");
    const calls = await gateway().call("GET", `/generations?id=${id}&workspace_id=${workspace}`);
    expect(calls.json.data).toMatchObject([{ key_name: "support-bot", key_purpose: null }]);
    const call = await gateway().call("GET", `/generation?id=${id}`);
    expect(call.json.data).toMatchObject({ http_referer: null });
    expect(JSON.stringify(calls.json)).toContain("Gatehouse console");
    const key = (await gateway().call("GET", `/keys/${hash}`)).json.data;
    expect(key.usage).toBe(answer.json.usage.cost);
    expect(key.usage).toBeGreaterThan(0);
    const audit = await gateway().call("GET", `/audit?target_id=${hash}&action=sendChatCompletionRequest`);
    const request_id = answer.headers.get("x-request-id");
    expect(audit.json.data).toMatchObject([{ target_name: "support-bot", workspace_id: workspace, request_id }]);
    expect(JSON.stringify([answer.json, audit.json])).not.toMatch(/sk-gh-v1-\w{20}/);
  });

  it("402: past that key's limit, as its own call would be", async () => {
    await gateway().call("PATCH", `/keys/${hash}`, { body: { limit: 0 } });
    expectError(await chat(), "payment_required", /limit/);
    await gateway().call("PATCH", `/keys/${hash}`, { body: { limit: null } });
  });

  it("403: once that key is disabled, and counted for it, as the session is still good", async () => {
    await gateway().call("PATCH", `/keys/${hash}`, { body: { disabled: true } });
    const refused = await chat();
    expectError(refused, "permission_denied", /is disabled/);
    expect(refused.json.error.metadata.reason).toBe("key_disabled");
    await vi.waitFor(
      async () => {
        const { data } = (await gateway().call("GET", `/refused-calls?workspace_id=all&api_key_hash=${hash}`)).json;
        expect(data).toContainEqual(expect.objectContaining({ reason: "key_disabled", status: 403 }));
      },
      { timeout: patience, interval: 100 },
    );
    await gateway().call("PATCH", `/keys/${hash}`, { body: { disabled: false } });
  });

  it("403: without the session's token, and for anything but chat; 401: without a session", async () => {
    expectError(await chat({ "x-csrf-token": "other" }), "permission_denied", /X-CSRF-Token/);
    expectError(await chat({}, "/embeddings"), "permission_denied", /in chat only/);
    expectError(await chat({ cookie: "" }), "authentication", /Missing Authentication header/);
  });

  it("400: a key of another workspace, one of the gateway's own, a management key, and what is no key", async () => {
    const other = (await make({})).hash;
    await gateway().call("POST", "/chat/completions", {
      key: null,
      body: { model: "talking/talk", messages: [{ role: "user", content: "hi" }] },
      headers: { ...session, [playgroundHeader]: workspace },
    });
    const listed = (await gateway().call("GET", `/keys?workspace_id=${workspace}&q=playground`)).json.data;
    const own = listed.find(({ purpose }: { purpose: string | null }) => purpose === "playground").hash;
    const management = (await gateway().call("GET", "/management-keys")).json.data[0].hash;
    for (const no of [other, own, management, "nothing"])
      expectIssues(await chat({ [playgroundKeyHeader]: no }), playgroundKeyHeader);
  });
});
