import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { OpenRouter } from "openrouter-sdk-1-3-19";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { eventually } from "../../testing/eventually.ts";
import { expectError, expectIssues } from "../../testing/expect-error.ts";
import { makeKey, makeWorkspace } from "../../testing/factories.ts";
import { answeringWhole } from "../../testing/messages-answers.ts";
import { answeringWhole as responding } from "../../testing/responses-answers.ts";
import { withClaude, withMediaVendor, withResponder } from "../../testing/scripted-setup.ts";
import { json, type ReceivedRequest, type ScriptedAnswer } from "../../testing/scripted-vendor.ts";

const own = { openai: "sk-own-openai-0123456789", anthropic: "sk-ant-own-0123456789abc" };
type VendorName = keyof typeof own;
const vendors = ["openai", "anthropic"] as const;

const fileOf = {
  /** As OpenAI's reference has them: https://platform.openai.com/docs/api-reference/files */
  openai: (id: string) => ({
    id,
    object: "file",
    bytes: 120_000,
    created_at: 1_677_610_602,
    expires_at: 1_677_614_202,
    filename: "salesOverview.pdf",
    purpose: "assistants",
    status: "processed",
  }),
  /** As Anthropic's has them: https://docs.anthropic.com/en/api/files-metadata */
  anthropic: (id: string) => ({
    id,
    type: "file",
    filename: "document.pdf",
    mime_type: "application/pdf",
    size_bytes: 1_024_000,
    created_at: "2025-01-01T00:00:00Z",
    downloadable: false,
  }),
};

/** A vendor that does what it is asked. */
const keeping =
  (vendor: VendorName) =>
  ({ method, path }: ReceivedRequest): ScriptedAnswer => {
    const id = /\/files\/([^/?]+)/.exec(path)?.[1] ?? "file_1";
    if (path.endsWith("/content")) return { pieces: [Buffer.alloc(300_000, 5)] };
    const record = fileOf[vendor](id);
    if (method === "DELETE")
      return json(vendor === "openai" ? { id, object: "file", deleted: true } : { id, type: "file_deleted" });
    const isList = method === "GET" && /\/files(\?|$)/.test(path);
    return json(isList ? { object: "list", data: [record], has_more: true, first_id: id, last_id: id } : record);
  };

describeGateway(
  "files that vendors keep",
  (gateway) => {
    describe("files at a vendor", () => {
      const vendor = Object.fromEntries(
        vendors.map((name) => [
          name,
          withMediaVendor(gateway, {
            slug: name,
            kind: name === "openai" ? "openai-compatible" : "anthropic",
            preset: name,
            models: [],
          }),
        ]),
      ) as Record<VendorName, ReturnType<typeof withMediaVendor>>;
      let key = "";
      let bare = "";

      beforeAll(async () => {
        ({ key } = await makeKey(gateway()));
        const { id } = await makeWorkspace(gateway());
        ({ key: bare } = await makeKey(gateway(), { workspace_id: id }));
        for (const name of vendors) await gateway().call("POST", "/byok", { body: { provider: name, key: own[name] } });
      });
      beforeEach(() => {
        for (const name of vendors) {
          vendor[name]().answer(keeping(name));
          vendor[name]().requests.length = 0;
        }
      });

      const call = async (method: string, path: string, as = key) => await gateway().call(method, path, { key: as });
      const asked = () => vendors.flatMap((name) => vendor[name]().requests);
      const last = (name: VendorName) => vendor[name]().requests.at(-1);
      const download = async (name: VendorName, signal?: AbortSignal) =>
        await fetch(`${gateway().url}/api/v1/files/file_1/content?provider=${name}`, {
          headers: { authorization: `Bearer ${key}` },
          ...(signal && { signal }),
        });

      async function upload(name: VendorName, parts: Readonly<Record<string, string | Blob>> = { file }, as = key) {
        const body = new FormData();
        for (const [member, value] of Object.entries(parts)) body.append(member, value);
        const headers = { authorization: `Bearer ${as}` };
        return await fetch(`${gateway().url}/api/v1/files?provider=${name}`, { method: "POST", headers, body });
      }
      const file = new File(["%PDF-1.7"], 'a "b".pdf');

      it.each(vendors)("%s: passes with the workspace's own key, and has its shape added", async (name) => {
        const record = { _shape: name, ...fileOf[name]("file_1") };
        expect((await call("GET", `/files/file_1?provider=${name}`)).json).toEqual(record);
        expect(last(name)?.path).toBe("/v1/files/file_1");
        const { authorization, "x-api-key": apiKey } = last(name)?.headers ?? {};
        expect(authorization ?? apiKey).toBe(name === "openai" ? `Bearer ${own.openai}` : own.anthropic);
        const list = await call("GET", `/files?provider=${name}&limit=2&after_id=file_0`);
        expect(list.json).toMatchObject({ _shape: name, data: [record], has_more: true, first_id: "file_1" });
        expect(last(name)?.path).toBe(`/v1/files?limit=2&${name === "openai" ? "after" : "after_id"}=file_0`);
        const deleted = await call("DELETE", `/files/file_1?provider=${name}`);
        expect(deleted.json).toMatchObject({ _shape: name, id: "file_1" });
        const content = await download(name);
        expect(content.headers.get("content-type")).toBe("application/octet-stream");
        expect(Buffer.from(await content.arrayBuffer()).equals(Buffer.alloc(300_000, 5))).toBe(true);
      });

      it("are typed and accepted by the official client", async () => {
        const { files } = new OpenRouter({ apiKey: key, serverURL: `${gateway().url}/api/v1` });
        for (const provider of vendors) {
          const one = { shape: provider, id: "file_1" };
          expect(await files.retrieve({ fileId: "file_1", provider })).toMatchObject(one);
          expect((await files.list({ provider })).result).toMatchObject({ shape: provider, data: [{ id: "file_1" }] });
          expect(await files.upload({ provider, requestBody: { file } })).toMatchObject(one);
          expect(await files.delete({ fileId: "file_1", provider })).toMatchObject(one);
        }
      });

      it("openai: is sent the file with its purpose, wherever it is in the form, or with one that fits calls", async () => {
        expect((await upload("openai", { file, purpose: "batch", surprise: "x" })).status).toBe(200);
        const boundary = /boundary=(.*)$/.exec(last("openai")?.headers["content-type"] ?? "")?.[1];
        expect(last("openai")?.body).toBe(
          `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a %22b%22.pdf"\r\nContent-Type: application/octet-stream\r\n\r\n%PDF-1.7\r\n` +
            `--${boundary}\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nbatch\r\n--${boundary}--\r\n`,
        );
        await upload("openai");
        expect(last("openai")?.body).toContain('name="purpose"\r\n\r\nuser_data\r\n');
        await upload("anthropic", { file, purpose: "batch" });
        expect(last("anthropic")?.body).not.toContain("purpose");
        expect(last("anthropic")?.headers["anthropic-beta"]).toBe("files-api-2025-04-14");
      });

      it.each([
        ["does not allow it", { allowed_providers: ["anthropic"] }],
        ["does not allow it", { ignored_providers: ["openai"] }],
        ["enforces zero data retention", { enforce_zdr_openai: true }],
        ["has content filters", { content_filter_builtins: [{ slug: "email", action: "redact" }] }],
      ])("403: a guardrail %s, whatever covers the key by it, and nothing is sent", async (reason, settings) => {
        const user = crypto.randomUUID();
        const { key: guarded } = await makeKey(gateway(), { creator_user_id: user });
        const made = await gateway().call("POST", "/guardrails", { body: { name: "No files", ...settings } });
        const { id } = made.json.data;
        const body = { member_user_ids: [user] };
        await gateway().call("POST", `/guardrails/${id}/assignments/members`, { body });
        const refused = await upload("openai", { file }, guarded);
        const { error } = (await refused.json()) as { error: { message: string; metadata: object } };
        expect([refused.status, error.message]).toEqual([
          403,
          expect.stringContaining(`the guardrail No files ${reason}`),
        ]);
        expect(error.metadata).toMatchObject({ guardrail_id: id });
        expect(asked()).toEqual([]);
        expect((await upload("openai")).status).toBe(200);
        await gateway().call("DELETE", `/guardrails/${id}`);
        expect((await upload("openai", { file }, guarded)).status).toBe(200);
      });

      it("413: a file that is larger than the gateway takes", async () => {
        const large = new Blob([Buffer.alloc(2 * 1_048_576 + 1)]);
        expect((await upload("openai", { file: large })).status).toBe(413);
      });

      it("400: a workspace without a key of its own, or with one for some models, and nothing is sent", async () => {
        expectIssues(await call("GET", "/files?provider=openai", bare), "provider");
        const refused = await call("GET", "/files/a?provider=anthropic", bare);
        expectError(refused, "invalid_request", "the workspace's own key for anthropic");
        expect((await upload("openai", { file }, bare)).status).toBe(400);
        expect(asked()).toEqual([]);
      });

      it.each([
        [404, "not_found", "openai answered 404: No such file"],
        [400, "invalid_request", "openai answered 400: No such file"],
        [401, "provider_unavailable", "openai answered 401"],
        [429, "rate_limit_exceeded", "openai answered 429"],
        [500, "provider_unavailable", "openai answered 500"],
      ] as const)("a vendor's %d is told to the caller", async (status, type, message) => {
        vendor.openai().answer(json({ error: { message: `No such file, ${own.openai}` } }, status));
        const answer = await call("GET", "/files/file_1?provider=openai");
        expectError(answer, type, message);
        expect(answer.text).not.toContain(own.openai);
        expectError(await call("GET", "/files/file_1/content?provider=openai"), type, message);
      });

      it.each(["not json", "[]", "{}", '{"id":"a","object":"file","bytes":"many"}', '{"data":7}'])(
        "502: an answer of %s is no file",
        async (body) => {
          for (const name of vendors) vendor[name]().answer({ pieces: [body] });
          expectError(await call("GET", "/files/file_1?provider=openai"), "provider_unavailable", /./);
          expectError(await call("GET", "/files?provider=anthropic"), "provider_unavailable", /./);
        },
      );

      it("502: an answer that breaks off", async () => {
        vendor.openai().answer({ headers: { "content-length": "100" }, pieces: ["{"], end: "cut" });
        expectError(await call("GET", "/files/file_1?provider=openai"), "provider_unavailable", "openai broke off");
      });

      /** With the path as it is: clients work dots out by themselves. */
      async function askRaw(method: string, path: string): Promise<number> {
        const { hostname, port } = new URL(gateway().url);
        const headers = { authorization: `Bearer ${key}` };
        const sent = request({ hostname, port, method, path: `/api/v1${path}`, headers }).end();
        const [answer] = (await once(sent, "response")) as [IncomingMessage];
        answer.resume();
        return answer.statusCode ?? 0;
      }

      it.each(["", ".", "..", "%2e%2e", "%2E.", "a%2F..%2Fb", "..%2Fmodels", "a%3Fb", "a%23b", "%5C..", "%00", "%0A"])(
        "no id leads to another path at the vendor: '%s'",
        async (id) => {
          for (const name of vendors)
            for (const [method, rest] of [
              ["GET", ""],
              ["DELETE", ""],
              ["GET", "/content"],
            ] as const)
              expect([400, 404, 405]).toContain(await askRaw(method, `/files/${id}${rest}?provider=${name}`));
          expect(asked()).toEqual([]);
        },
      );

      it("503: more downloads than the provider may have calls, until one is over or its caller has left", async () => {
        const ends: (() => void)[] = [];
        vendor.openai().answer(() => {
          const { promise: until, resolve } = Promise.withResolvers<void>();
          ends.push(resolve);
          return { pieces: ["x".repeat(70_000), ""], hold: { from: 1, until } };
        });
        const leaving = new AbortController();
        const [first, second] = [await download("openai"), await download("openai", leaving.signal)];
        expect([first.status, second.status]).toEqual([200, 200]);
        expectError(await call("GET", "/files/file_1?provider=openai"), "unavailable", /GATEHOUSE_PROVIDER_CALLS/);
        ends[0]?.();
        expect(await first.text()).toHaveLength(70_000);
        leaving.abort();
        await second.text().catch(() => "");
        vendor.openai().answer(keeping("openai"));
        const both = async () =>
          await Promise.all([1, 2].map(async () => (await call("GET", "/files/file_1?provider=openai")).status));
        expect(await eventually(both, (statuses) => statuses.every((status) => status === 200))).toEqual([200, 200]);
      });
    });

    describe("a vendor's file that a call names by its id", () => {
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
      const ask = async (path: string, body: object) => await gateway().call("POST", path, { key, body });
      const say = (of: readonly object[]) => [{ role: "user", content: of }];
      const tell = async (of: readonly object[], model = "acme/claude") =>
        await ask("/messages", { model, max_tokens: 9, messages: say(of) });
      const tools = [{ type: "code_interpreter", container: { type: "auto", file_ids: ["file-1"] } }];
      const calls = {
        messages: () => tell(content.messages),
        responses: () => ask("/responses", { model: "acme/thinker", input: say(content.responses) }),
        chat: () => ask("/chat/completions", { model: "acme/thinker", messages: say(content.chat) }),
        upload: () => tell([{ type: "container_upload", file_id: "file_1" }]),
        tool: () => ask("/responses", { model: "acme/thinker", input: "hi", tools }),
        elsewhere: () => tell(content.messages, "acme/thinker"),
      };

      it.each(Object.keys(calls) as (keyof typeof calls)[])(
        "400: is not sent with the shared key: %s",
        async (name) => {
          const sent = () => claude().requests.length + responder().requests.length;
          const before = sent();
          const { status, json } = await calls[name]();
          expect(status).toBe(400);
          expect(json.error.message).toMatch(
            /file_ids?(\.0)? is the id of a file that the gateway does not keep, and no provider can be sent it: /,
          );
          expect(sent()).toBe(before);
        },
      );

      it("is passed on with the workspace's own key, to a vendor that keeps files", async () => {
        for (const provider of ["claude", "responder"]) {
          const made = await gateway().call("POST", "/byok", { body: { provider, key: own.anthropic } });
          expect(made.status).toBe(201);
        }
        const sent = (vendor = responder()) => JSON.parse(vendor.requests.at(-1)?.body ?? "");
        await calls.messages();
        expect(claude().requests.at(-1)?.headers["x-api-key"]).toBe(own.anthropic);
        expect(sent(claude()).messages[0].content).toEqual(content.messages);
        await calls.responses();
        expect(responder().requests.at(-1)?.headers["authorization"]).toBe(`Bearer ${own.anthropic}`);
        expect(sent().input[0].content).toEqual(content.responses);
        await calls.chat();
        expect(sent().messages[0].content).toEqual(content.chat);
        expect((await calls.elsewhere()).status).toBe(400);
      });

      it("400: an id of the gateway's that is written with escapes is not taken for a vendor's", async () => {
        const id = `or\\u005ffile_${"0".repeat(32)}`;
        const raw = `{"model":"acme/thinker","input":[{"role":"user","content":[{"type":"input_file","file_id":"${id}"}]}]}`;
        expectIssues(await gateway().call("POST", "/responses", { key, raw }), "input.0.content.0.file_id");
      });
    });
  },
  { env: { GATEHOUSE_PROVIDER_CALLS: "2", GATEHOUSE_FILE_MB: "2" } },
);
