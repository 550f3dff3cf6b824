import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { OpenRouter } from "openrouter-sdk-1-3-19";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { eventually } from "../../testing/eventually.ts";
import { expectError, expectIssues } from "../../testing/expect-error.ts";
import { makeKey, makeProvider, makeWorkspace } from "../../testing/factories.ts";
import type { TestGateway } from "../../testing/gateway.ts";
import { answeringWhole } from "../../testing/messages-answers.ts";
import { answeringWhole as responding } from "../../testing/responses-answers.ts";
import { withClaude, withResponder } from "../../testing/scripted-setup.ts";

const own = { openai: "sk-own-openai-0123456789", anthropic: "sk-ant-own-0123456789abc" };
type VendorName = keyof typeof own;

/** As OpenAI's reference has them: https://platform.openai.com/docs/api-reference/files */
const openAiFile = (id: string) => ({
  id,
  object: "file",
  bytes: 120_000,
  created_at: 1_677_610_602,
  expires_at: 1_677_614_202,
  filename: "salesOverview.pdf",
  purpose: "assistants",
  status: "processed",
});
/** As Anthropic's has them: https://docs.anthropic.com/en/api/files-metadata */
const anthropicFile = (id: string) => ({
  id,
  type: "file",
  filename: "document.pdf",
  mime_type: "application/pdf",
  size_bytes: 1_024_000,
  created_at: "2025-01-01T00:00:00Z",
  downloadable: false,
});
const fileOf = { openai: openAiFile, anthropic: anthropicFile };

interface Received {
  readonly line: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

/** A vendor that keeps files, of either kind. */
async function startFilesVendor() {
  const received: Received[] = [];
  let next: ((response: ServerResponse) => void) | null = null;
  const server: Server = createServer((request, response) => {
    void (async () => {
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(piece as Buffer);
      const { method, url = "", headers } = request;
      received.push({ line: `${method} ${url}`, headers, body: Buffer.concat(pieces) });
      if (next !== null) return next(response);
      const vendor = url.startsWith("/openai") ? "openai" : "anthropic";
      const id = /\/files\/([^/?]+)/.exec(url)?.[1] ?? "file_1";
      if (url.endsWith("/content")) return response.end(Buffer.alloc(300_000, 5));
      const record = fileOf[vendor](id);
      const list = { object: "list", data: [record], has_more: true, first_id: id, last_id: id };
      const deleted = vendor === "openai" ? { id, object: "file", deleted: true } : { id, type: "file_deleted" };
      const answer = method === "DELETE" ? deleted : method === "GET" && /\/files(\?|$)/.test(url) ? list : record;
      response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    /** null: as a vendor that does what it is asked */
    answer: (script: typeof next) => void (next = script),
    close: async () => await new Promise((resolve) => server.close(resolve)),
  };
}

const vendorTests = (gateway: () => TestGateway) => {
  let vendor: Awaited<ReturnType<typeof startFilesVendor>>;
  let key = "";
  let bare = "";

  beforeAll(async () => {
    vendor = await startFilesVendor();
    const made = await makeKey(gateway());
    key = made.key;
    const { id } = await makeWorkspace(gateway());
    bare = (await makeKey(gateway(), { workspace_id: id })).key;
    for (const name of ["openai", "anthropic"] as const) {
      const kind = name === "openai" ? "openai-compatible" : "anthropic";
      const base_url = `${vendor.url}/${name}/v1`;
      await makeProvider(gateway(), { slug: name, kind, preset: name, base_url, api_key: "sk-shared", models: [] });
      await gateway().call("POST", "/byok", { body: { provider: name, key: own[name] } });
    }
  });
  afterAll(async () => {
    for (const name of ["openai", "anthropic"]) await gateway().call("DELETE", `/providers/${name}`);
    await vendor.close();
  });
  beforeEach(() => {
    vendor.answer(null);
    vendor.received.length = 0;
  });

  const call = async (method: string, path: string, as = key) => await gateway().call(method, path, { key: as });
  const last = () => vendor.received.at(-1);
  const credential = () => last()?.headers["authorization"] ?? last()?.headers["x-api-key"];

  async function upload(name: VendorName, parts: readonly (readonly [string, string | Blob])[], as = key) {
    const body = new FormData();
    for (const [member, value] of parts) body.append(member, value);
    const headers = { authorization: `Bearer ${as}` };
    return await fetch(`${gateway().url}/api/v1/files?provider=${name}`, { method: "POST", headers, body });
  }
  const file = new File(["%PDF-1.7"], 'a "b".pdf');

  it.each(["openai", "anthropic"] as const)(
    "%s: passes with the workspace's own key, and has its shape added",
    async (name) => {
      const record = { _shape: name, ...fileOf[name]("file_1") };
      const found = await call("GET", `/files/file_1?provider=${name}`);
      expect(found.json).toEqual(record);
      expect(last()?.line).toBe(`GET /${name}/v1/files/file_1`);
      expect(credential()).toBe(name === "openai" ? `Bearer ${own.openai}` : own.anthropic);
      const list = await call("GET", `/files?provider=${name}&limit=2&after_id=file_0`);
      expect(list.json).toMatchObject({ _shape: name, data: [record], has_more: true, first_id: "file_1" });
      const after = name === "openai" ? "after" : "after_id";
      expect(last()?.line).toBe(`GET /${name}/v1/files?limit=2&${after}=file_0`);
      expect((await call("DELETE", `/files/file_1?provider=${name}`)).json).toMatchObject({
        _shape: name,
        id: "file_1",
      });
      const content = await fetch(`${gateway().url}/api/v1/files/file_1/content?provider=${name}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      expect(content.headers.get("content-type")).toBe("application/octet-stream");
      expect(Buffer.from(await content.arrayBuffer()).equals(Buffer.alloc(300_000, 5))).toBe(true);
    },
  );

  it("are typed and accepted by the official client", async () => {
    const { files } = new OpenRouter({ apiKey: key, serverURL: `${gateway().url}/api/v1` });
    for (const provider of ["openai", "anthropic"] as const) {
      expect(await files.retrieve({ fileId: "file_1", provider })).toMatchObject({ shape: provider, id: "file_1" });
      expect((await files.list({ provider })).result).toMatchObject({ shape: provider, data: [{ id: "file_1" }] });
      const made = await files.upload({ provider, requestBody: { file } });
      expect(made).toMatchObject({ shape: provider, id: "file_1" });
      expect(await files.delete({ fileId: "file_1", provider })).toMatchObject({ shape: provider, id: "file_1" });
    }
  });

  it("openai: is sent the file with its purpose, wherever it is in the form, or with one that fits calls", async () => {
    expect(
      (
        await upload("openai", [
          ["file", file],
          ["purpose", "batch"],
          ["surprise", "x"],
        ])
      ).status,
    ).toBe(200);
    const type = last()?.headers["content-type"] ?? "";
    const boundary = /boundary=(.*)$/.exec(type)?.[1];
    expect(last()?.body.toString()).toBe(
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a %22b%22.pdf"\r\nContent-Type: application/octet-stream\r\n\r\n%PDF-1.7\r\n` +
        `--${boundary}\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nbatch\r\n--${boundary}--\r\n`,
    );
    await upload("openai", [["file", file]]);
    expect(last()?.body.toString()).toContain('name="purpose"\r\n\r\nuser_data\r\n');
    await upload("anthropic", [
      ["file", file],
      ["purpose", "batch"],
    ]);
    expect(last()?.body.toString()).not.toContain("purpose");
    expect(last()?.headers["anthropic-beta"]).toBe("files-api-2025-04-14");
  });

  it.each([
    ["does not allow it", { allowed_providers: ["anthropic"] }],
    ["does not allow it", { ignored_providers: ["openai"] }],
    ["enforces zero data retention", { enforce_zdr_openai: true }],
    ["has content filters", { content_filter_builtins: [{ slug: "email", action: "redact" }] }],
  ])("403: a guardrail %s, whatever covers the key by it, and nothing is sent", async (reason, settings) => {
    const { key: guarded, record } = await makeKey(gateway(), { creator_user_id: `creator-${reason}` });
    const made = await gateway().call("POST", "/guardrails", { body: { name: "No files", ...settings } });
    const { id } = made.json.data;
    await gateway().call("POST", `/guardrails/${id}/assignments/members`, {
      body: { member_user_ids: [record.creator_user_id] },
    });
    const refused = await upload("openai", [["file", file]], guarded);
    const { error } = (await refused.json()) as { error: { message: string; metadata: object } };
    expect(refused.status).toBe(403);
    expect(error.message).toContain(`the guardrail No files ${reason}`);
    expect(error.metadata).toMatchObject({ guardrail_id: id });
    expect(vendor.received).toEqual([]);
    expect((await upload("openai", [["file", file]])).status).toBe(200);
    await gateway().call("DELETE", `/guardrails/${id}`);
    expect((await upload("openai", [["file", file]], guarded)).status).toBe(200);
  });

  it("413: a file that is larger than the gateway takes", async () => {
    const large = new Blob([Buffer.alloc(101 * 1_048_576)]);
    expect((await upload("openai", [["file", large]])).status).toBe(413);
  });

  it("400: a workspace without a key of its own, or with one for some models, and nothing is sent", async () => {
    expectIssues(await call("GET", "/files?provider=openai", bare), "provider");
    expectError(
      await call("GET", "/files/a?provider=anthropic", bare),
      "invalid_request",
      "the workspace's own key for anthropic",
    );
    expect((await upload("openai", [["file", file]], bare)).status).toBe(400);
    expect(vendor.received).toEqual([]);
  });

  describe("what the vendor does", () => {
    const saying = (status: number, body: string) =>
      vendor.answer((response) => void response.writeHead(status, { "content-type": "application/json" }).end(body));

    it.each([
      [404, "not_found", "openai answered 404: No such file"],
      [400, "invalid_request", "openai answered 400: No such file"],
      [401, "provider_unavailable", "openai answered 401"],
      [429, "rate_limit_exceeded", "openai answered 429"],
      [500, "provider_unavailable", "openai answered 500"],
    ] as const)("%d is told to the caller", async (status, type, message) => {
      saying(status, JSON.stringify({ error: { message: `No such file, ${own.openai}` } }));
      const answer = await call("GET", "/files/file_1?provider=openai");
      expectError(answer, type, message);
      expect(answer.text).not.toContain(own.openai);
      expectError(await call("GET", "/files/file_1/content?provider=openai"), type, message);
    });

    it.each(["not json", "[]", "{}", '{"id":"a","object":"file","bytes":"many"}', '{"data":7}'])(
      "502: an answer of %s is no file",
      async (body) => {
        saying(200, body);
        expectError(await call("GET", "/files/file_1?provider=openai"), "provider_unavailable", /./);
        expectError(await call("GET", "/files?provider=anthropic"), "provider_unavailable", /./);
      },
    );

    it("502: an answer that breaks off", async () => {
      vendor.answer((response) => {
        response.writeHead(200, { "content-length": "100" }).write("{");
        setTimeout(() => response.destroy(), 20);
      });
      expectError(await call("GET", "/files/file_1?provider=openai"), "provider_unavailable", "openai broke off");
    });
  });

  /** With the path as it is: clients work dots out by themselves. */
  async function askRaw(method: string, path: string): Promise<number> {
    const { hostname, port } = new URL(gateway().url);
    const headers = { authorization: `Bearer ${key}` };
    const asked = request({ hostname, port, method, path: `/api/v1${path}`, headers }).end();
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
    answer.resume();
    return answer.statusCode ?? 0;
  }

  it.each(["", ".", "..", "%2e%2e", "%2E.", "a%2F..%2Fb", "..%2Fmodels", "a%3Fb", "a%23b", "%5C..", "%00", "%0A"])(
    "no id leads to another path at the vendor: '%s'",
    async (id) => {
      for (const provider of ["openai", "anthropic"]) {
        for (const [method, path] of [
          ["GET", `/files/${id}`],
          ["DELETE", `/files/${id}`],
          ["GET", `/files/${id}/content`],
        ] as const) {
          const status = await askRaw(method, `${path}?provider=${provider}`);
          expect([400, 404, 405]).toContain(status);
        }
      }
      expect(vendor.received).toEqual([]);
    },
  );

  it("503: more downloads than the provider may have calls, until one is over or its caller has left", async () => {
    const open: ServerResponse[] = [];
    vendor.answer((response) => {
      response.writeHead(200).write("x".repeat(70_000));
      open.push(response);
    });
    const leaving = new AbortController();
    const download = async (signal?: AbortSignal) =>
      await fetch(`${gateway().url}/api/v1/files/file_1/content?provider=openai`, {
        headers: { authorization: `Bearer ${key}` },
        ...(signal && { signal }),
      });
    const [first, second] = [await download(), await download(leaving.signal)];
    expect([first.status, second.status]).toEqual([200, 200]);
    expectError(await call("GET", "/files/file_1?provider=openai"), "unavailable", /GATEHOUSE_PROVIDER_CALLS/);
    open[0]?.end();
    expect(await first.text()).toHaveLength(70_000);
    leaving.abort();
    await second.text().catch(() => "");
    vendor.answer(null);
    const both = async () =>
      await Promise.all([1, 2].map(async () => (await call("GET", "/files/file_1?provider=openai")).status));
    expect(await eventually(both, (statuses) => statuses.every((status) => status === 200))).toEqual([200, 200]);
  });
};
describeGateway("files at a vendor", vendorTests, { env: { GATEHOUSE_PROVIDER_CALLS: "2" } });

describeGateway("a vendor's file that a call names by its id", (gateway) => {
  const claude = withClaude(gateway);
  const responder = withResponder(gateway);
  let key = "";

  beforeAll(async () => {
    ({ key } = await makeKey(gateway()));
    claude().answer(answeringWhole());
    responder().answer(responding());
  });

  const content = {
    messages: [{ type: "document", source: { type: "file", file_id: "file_1" } }],
    responses: [{ type: "input_file", file_id: "file-1" }],
    chat: [{ type: "file", file: { file_id: "file-1" } }],
  };
  const calls = {
    messages: () =>
      ask("/messages", {
        model: "acme/claude",
        max_tokens: 9,
        messages: [{ role: "user", content: content.messages }],
      }),
    responses: () =>
      ask("/responses", { model: "acme/thinker", input: [{ role: "user", content: content.responses }] }),
    chat: () =>
      ask("/chat/completions", { model: "acme/thinker", messages: [{ role: "user", content: content.chat }] }),
    upload: () =>
      ask("/messages", {
        model: "acme/claude",
        max_tokens: 9,
        messages: [{ role: "user", content: [{ type: "container_upload", file_id: "file_1" }] }],
      }),
    tool: () =>
      ask("/responses", {
        model: "acme/thinker",
        input: "hi",
        tools: [{ type: "code_interpreter", container: { type: "auto", file_ids: ["file-1"] } }],
      }),
    elsewhere: () =>
      ask("/messages", {
        model: "acme/thinker",
        max_tokens: 9,
        messages: [{ role: "user", content: content.messages }],
      }),
  };
  const ask = async (path: string, body: object) => await gateway().call("POST", path, { key, body });
  const sent = () => claude().requests.length + responder().requests.length;

  it.each(Object.keys(calls) as (keyof typeof calls)[])("400: is not sent with the shared key: %s", async (name) => {
    const before = sent();
    const { status, json } = await calls[name]();
    expect(status).toBe(400);
    expect(json.error.message).toMatch(
      /file_ids?(\.0)? is the id of a file that the gateway does not keep, and no provider can be sent it: /,
    );
    expect(sent()).toBe(before);
  });

  it("is passed on with the workspace's own key, to a vendor that keeps files", async () => {
    for (const provider of ["claude", "responder"]) {
      const made = await gateway().call("POST", "/byok", { body: { provider, key: own.anthropic } });
      expect(made.status).toBe(201);
    }
    await calls.messages();
    expect(claude().requests.at(-1)?.headers["x-api-key"]).toBe(own.anthropic);
    expect(JSON.parse(claude().requests.at(-1)?.body ?? "").messages[0].content).toEqual(content.messages);
    await calls.responses();
    expect(responder().requests.at(-1)?.headers["authorization"]).toBe(`Bearer ${own.anthropic}`);
    expect(JSON.parse(responder().requests.at(-1)?.body ?? "").input[0].content).toEqual(content.responses);
    await calls.chat();
    expect(JSON.parse(responder().requests.at(-1)?.body ?? "").messages[0].content).toEqual(content.chat);
    expect((await calls.elsewhere()).status).toBe(400);
  });

  it("400: an id of the gateway's that is written with escapes is not taken for a vendor's", async () => {
    const id = `or\\u005ffile_${"0".repeat(32)}`;
    const raw = `{"model":"acme/thinker","input":[{"role":"user","content":[{"type":"input_file","file_id":"${id}"}]}]}`;
    expectIssues(await gateway().call("POST", "/responses", { key, raw }), "input.0.content.0.file_id");
  });
});
