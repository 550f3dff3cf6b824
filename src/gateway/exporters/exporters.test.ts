import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import otlpRoot from "@opentelemetry/otlp-transformer/build/src/generated/root.js";
import aws4 from "aws4";
import { describe, expect, it } from "vitest";
import { configMembers, DestinationType } from "#contract/destination-kinds.ts";
import { blankEvent, type ForwardedEvent } from "#contract/forwarded-event.ts";
import { formats, sinkOf } from "./formats.ts";
import type { SinkRequest } from "./format.ts";

/** The classes that the OpenTelemetry project generates from its protobuf definitions; its own types leave them out. */
const otlpDefinitions = otlpRoot as unknown as {
  opentelemetry: { proto: { collector: { trace: { v1: { ExportTraceServiceRequest: MessageClass } } } } };
};
interface MessageClass {
  fromObject(json: object): object;
  encode(message: object): { finish(): Uint8Array };
  decode(bytes: Uint8Array): object;
  toObject(message: object, options: object): object;
}

const now = new Date("2026-11-20T12:00:00.000Z");

const chat: ForwardedEvent = {
  ...blankEvent,
  id: "gen-1795176000000-abcdefghijkmnopqrs",
  kind: "chat",
  startedAt: new Date("2026-11-20T11:59:58.500Z"),
  endedAt: now,
  workspaceId: "0f8fad5b-d9cb-469f-a165-70867728950e",
  keyHash: "a".repeat(64),
  keyName: "prod search",
  model: "acme/talk",
  responseModel: "talk-2026-11-01",
  parameters: { temperature: 1, top_k: 40, n: 2, max_tokens: 256, stop: ["END"], reasoning_effort: "high", seed: 7 },
  provider: "acme",
  providerName: "Acme",
  providerPreset: "xai",
  server: { address: "api.acme.example", port: 8443 },
  upstreamId: "chatcmpl-1",
  status: 200,
  finishReason: "stop",
  promptTokens: 12,
  completionTokens: 7,
  reasoningTokens: 3,
  cachedTokens: 2,
  cacheWriteTokens: 4,
  cost: 0.000026,
  byokCost: 2,
  byok: true,
  streamed: true,
  latencyMs: 310,
  durationMs: 1_500,
  userId: "u1",
  sessionId: "s1",
  preset: "help-desk",
  presetVersion: 3,
  contentFilters: [{ label: "EMAIL", action: "redact", count: 2 }],
  trace: {
    trace_id: "0af7651916cd43dd8448eb211c80319c",
    parent_span_id: "b7ad6b7169203331",
    trace_name: "Nightly",
    generation_name: "Summary",
    team: "docs",
    run: 7,
    nested: { a: [1] },
  },
  referer: "https://app.example.com",
  appTitle: "App",
  userAgent: "client/1",
  requestId: "req-1",
  input: [
    { role: "system", content: "Be brief." },
    {
      role: "user",
      content: [
        { type: "text", text: "What is ünïcode? 🏰" },
        { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
        { type: "image_url", image_url: { url: "https://example.com/a.png" } },
      ],
    },
    { role: "assistant", tool_calls: [{ id: "t1", type: "function", function: { name: "f", arguments: "{}" } }] },
    { role: "tool", tool_call_id: "t1", content: "42" },
  ],
  output: [
    { index: 0, message: { role: "assistant", content: "A standard." }, finish_reason: "stop" },
    {
      index: 1,
      message: {
        role: "assistant",
        content: null,
        refusal: "No.",
        reasoning: "Hm.",
        images: [{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }],
        audio: { id: "a", data: "AAAA", transcript: "Ah." },
        tool_calls: [
          { id: "t2", type: "function", function: { name: "g", arguments: '{"a":1}' } },
          { id: "t3", type: "custom", custom: { name: "sql", input: "select 1" } },
        ],
      },
      finish_reason: "tool_calls",
    },
  ],
};

const embeddings: ForwardedEvent = {
  ...chat,
  id: "gen-1795176000001-abcdefghijkmnopqrs",
  kind: "embeddings",
  model: "acme/embed",
  status: 502,
  errorType: "provider_unavailable",
  finishReason: null,
  inputs: 2,
  parameters: { dimensions: 512, encoding_format: "base64" },
  streamed: false,
  providerPreset: "custom",
  server: null,
  trace: null,
  sessionId: null,
  userId: null,
  input: ["one", "two"],
  output: null,
};

const values: Record<string, string> = {
  dsn: "https://abcdef0123456789@o1.ingest.sentry.io/2",
  otlpEndpoint: "https://o1.ingest.sentry.io/api/2/integration/otlp",
  account: "MyOrg-account1",
  host: "https://clickhouse.example.com:8443",
  endpoint: "https://collector.example.com/v1/traces",
  url: "https://hooks.example.com/in",
};

function configOf(type: DestinationType): Record<string, string> {
  return Object.fromEntries(
    Object.entries(configMembers(type))
      .filter(([, member]) => member.required)
      .map(([name]) => [name, values[name] ?? `${name}-0123456789`]),
  );
}

async function requestsOf(type: DestinationType, more: Record<string, string> = {}, events = [chat, embeddings]) {
  return await formats[type].toRequests(sinkOf(type, { ...configOf(type), ...more }), events, now);
}

async function only(type: DestinationType, more: Record<string, string> = {}): Promise<SinkRequest> {
  const [request, ...others] = await requestsOf(type, more);
  if (request === undefined || others.length > 0)
    throw new Error(`${type} makes ${others.length + 1} requests of two events`);
  return request;
}

it.each(DestinationType.options)("%s: its table says which members are sent in headers as they are", async (type) => {
  const members = Object.entries(configMembers(type)).filter(([, { form, pattern }]) => form === "text" && !pattern);
  const config = Object.fromEntries(members.map(([name]) => [name, `value-of-${name}.`]));
  const requests = await requestsOf(type, config);
  const sent = requests.flatMap(({ headers }) => Object.values(headers)).join("\n");
  const inHeaders = members.filter(([name]) => sent.includes(`value-of-${name}.`)).map(([name]) => name);
  expect(inHeaders).toEqual(members.filter(([, { inHeader }]) => inHeader).map(([name]) => name));
});

const otlpKinds = DestinationType.options.filter(
  (type) => !["clickhouse", "datadog", "posthog", "s3", "snowflake"].includes(type),
);

it.each(DestinationType.options)("%s is told which preset a call was made with", async (type) => {
  const requests = await requestsOf(type, {}, [chat]);
  expect(requests.map(({ body }) => (typeof body === "string" ? body : Buffer.from(body).toString())).join("")).toMatch(
    /preset[^-]+help-desk/,
  );
});

describe("OTLP", () => {
  const Request = otlpDefinitions.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;

  /** OTLP's JSON differs from protobuf's own in one thing: ids are hex (opentelemetry.io/docs/specs/otlp, JSON encoding). */
  function withIds(json: string, write: (id: string) => unknown) {
    return JSON.parse(json, (key: string, value: unknown) =>
      /^(trace|span|parentSpan)Id$/.test(key) ? write(String(value)) : value,
    );
  }

  it.each(otlpKinds)("of %s is, member for member, what the official protobuf definitions decode", async (type) => {
    const { body, bytes, headers } = await only(type);
    const message = Request.fromObject(withIds(body, (hex) => Buffer.from(hex, "hex")));
    const binary = headers["content-type"] === "application/x-protobuf";
    expect(binary).toBe(type === "weave");
    const decoded = Request.decode(binary && bytes ? bytes : Request.encode(message).finish());
    const back = Request.toObject(decoded, { longs: String, enums: Number, bytes: String });
    // A member that the definitions do not know would be lost on the way.
    expect(back).toEqual(withIds(body, (hex) => Buffer.from(hex, "hex").toString("base64")));
  });

  /** A span's attributes, and their types. */
  function attributesOf(span: { attributes: { key: string; value: object }[] }) {
    const read = (of: (value: object) => unknown) =>
      Object.fromEntries(span.attributes.map(({ key, value }) => [key, of(value)]));
    return [read((value) => Object.values(value)[0]), read((value) => Object.keys(value)[0])] as const;
  }

  it("says what the GenAI conventions name, of a chat call", async () => {
    const { body } = await only("otel-collector");
    const [span] = JSON.parse(body).resourceSpans[0].scopeSpans[0].spans;
    const [attributes, types] = attributesOf(span);
    expect(span).toMatchObject({
      traceId: "0af7651916cd43dd8448eb211c80319c",
      parentSpanId: "b7ad6b7169203331",
      name: "Summary",
      kind: 3,
      startTimeUnixNano: "1795175998500000000",
      endTimeUnixNano: "1795176000000000000",
      status: { code: 1 },
    });
    expect(attributes).toMatchObject({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "x_ai",
      "gen_ai.request.model": "acme/talk",
      "gen_ai.request.stream": true,
      "gen_ai.request.choice.count": "2",
      "gen_ai.request.temperature": 1,
      "gen_ai.request.top_k": "40",
      "gen_ai.request.max_tokens": "256",
      "gen_ai.request.seed": "7",
      "gen_ai.request.stop_sequences": { values: [{ stringValue: "END" }] },
      "gen_ai.request.reasoning.level": "high",
      "gen_ai.response.model": "talk-2026-11-01",
      "gen_ai.response.time_to_first_chunk": 0.31,
      "gen_ai.response.finish_reasons": { values: [{ stringValue: "stop" }, { stringValue: "tool_calls" }] },
      "server.address": "api.acme.example",
      "server.port": "8443",
      "gen_ai.usage.cache_read.input_tokens": "2",
      "gen_ai.usage.cache_write.input_tokens": "4",
      "gen_ai.usage.input_tokens": "12",
      "gen_ai.usage.output_tokens": "7",
      "gen_ai.usage.cost": 0.000026,
      "gen_ai.conversation.id": "s1",
      "session.id": "s1",
      "user.id": "u1",
      "trace.metadata.team": "docs",
      "trace.metadata.run": "7",
      "trace.metadata.nested": '{"a":[1]}',
      "gatehouse.byok_cost": 2,
      "gatehouse.generation_id": chat.id,
    });
    expect(types).toMatchObject({
      "gen_ai.request.temperature": "doubleValue",
      "gen_ai.response.time_to_first_chunk": "doubleValue",
    });
    expect(Object.keys(attributes)).not.toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^gen_ai\.(system|usage\.(prompt|completion)_tokens)$|cache_creation/),
      ]),
    );
    expect(JSON.parse(String(attributes["gen_ai.input.messages"]))).toEqual([
      { role: "system", parts: [{ type: "text", content: "Be brief." }] },
      {
        role: "user",
        parts: [
          { type: "text", content: "What is ünïcode? 🏰" },
          { type: "blob", modality: "image", mime_type: "image/png" },
          { type: "uri", modality: "image", uri: "https://example.com/a.png" },
        ],
      },
      { role: "assistant", parts: [{ type: "tool_call", id: "t1", name: "f", arguments: "{}" }] },
      { role: "tool", parts: [{ type: "tool_call_response", id: "t1", response: "42" }] },
    ]);
    expect(JSON.parse(String(attributes["gen_ai.output.messages"]))).toEqual([
      { role: "assistant", parts: [{ type: "text", content: "A standard." }], finish_reason: "stop" },
      {
        role: "assistant",
        parts: [
          { type: "reasoning", content: "Hm." },
          { type: "refusal", content: "No." },
          { type: "blob", modality: "image", mime_type: "image/png" },
          { type: "text", content: "Ah." },
          { type: "blob", modality: "audio", mime_type: null },
          { type: "tool_call", id: "t2", name: "g", arguments: '{"a":1}' },
          { type: "tool_call", id: "t3", name: "sql", arguments: "select 1" },
        ],
        finish_reason: "tool_calls",
      },
    ]);
  });

  it.each<[string, Partial<ForwardedEvent>, Record<string, unknown>]>([
    [
      "vectors",
      embeddings,
      {
        "gen_ai.operation.name": "embeddings",
        "gen_ai.provider.name": "acme",
        "gen_ai.embeddings.dimension.count": "512",
        "gen_ai.request.encoding_formats": { values: [{ stringValue: "base64" }] },
        "gen_ai.request.stream": undefined,
        "gen_ai.response.time_to_first_chunk": undefined,
        "server.address": undefined,
      },
    ],
    [
      "a completion of the older form",
      { operation: "text_completion" },
      { "gen_ai.operation.name": "text_completion" },
    ],
    ["JSON", { parameters: { response_format: "json_schema" } }, { "gen_ai.output.type": "json" }],
    ["an image", { kind: "images", parameters: null }, { "gen_ai.output.type": "image" }],
  ])("says what the GenAI conventions name, of %s", async (_, members, expected) => {
    const [{ body }] = (await requestsOf("webhook", {}, [{ ...chat, ...members }])) as [SinkRequest];
    const [attributes] = attributesOf(JSON.parse(body).resourceSpans[0].scopeSpans[0].spans[0]);
    expect(attributes).toMatchObject(
      Object.fromEntries(Object.entries(expected).filter(([, value]) => value !== undefined)),
    );
    for (const [name, value] of Object.entries(expected))
      if (value === undefined) expect(attributes).not.toHaveProperty(name);
  });

  it("tells Langfuse when the answer began, how it was asked, and what was read from the cache and written to it", async () => {
    const { body, headers } = await only("langfuse");
    const [attributes] = attributesOf(JSON.parse(body).resourceSpans[0].scopeSpans[0].spans[0]);
    expect(headers["x-langfuse-ingestion-version"]).toBe("4");
    expect(attributes["langfuse.observation.completion_start_time"]).toBe("2026-11-20T11:59:58.810Z");
    expect(JSON.parse(attributes["langfuse.observation.model.parameters"] as string)).toEqual(chat.parameters);
    expect(JSON.parse(attributes["langfuse.observation.usage_details"] as string)).toEqual({
      input: 6,
      cache_read_input_tokens: 2,
      cache_creation_input_tokens: 4,
      output: 4,
      output_reasoning_tokens: 3,
      total: 19,
    });
  });

  it("gives the same call the same ids, and another call others", async () => {
    const spans = async () => JSON.parse((await only("webhook")).body).resourceSpans[0].scopeSpans[0].spans;
    const [first, second] = await spans();
    expect(await spans()).toEqual([first, second]);
    expect(second.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(second.spanId).not.toBe(first.spanId);
    expect(second.status).toEqual({ code: 2, message: "provider_unavailable" });
  });

  it.each([
    ["arize", "https://otlp.arize.com/v1/traces", { space_id: "spaceKey-0123456789", api_key: "apiKey-0123456789" }],
    [
      "braintrust",
      "https://api.braintrust.dev/otel/v1/traces",
      { authorization: "Bearer apiKey-0123456789", "x-bt-parent": "project_id:projectId-0123456789" },
    ],
    [
      "grafana",
      "https://otlp-gateway-prod-us-west-0.grafana.net/otlp/v1/traces",
      { authorization: `Basic ${Buffer.from("instanceId-0123456789:apiKey-0123456789").toString("base64")}` },
    ],
    [
      "langfuse",
      "https://us.cloud.langfuse.com/api/public/otel/v1/traces",
      { authorization: `Basic ${Buffer.from("publicKey-0123456789:secretKey-0123456789").toString("base64")}` },
    ],
    [
      "langsmith",
      "https://api.smith.langchain.com/otel/v1/traces",
      { "x-api-key": "apiKey-0123456789", "langsmith-project": "main" },
    ],
    ["newrelic", "https://otlp.nr-data.net/v1/traces", { "api-key": "licenseKey-0123456789" }],
    [
      "opik",
      "https://www.comet.com/opik/api/v1/private/otel/v1/traces",
      {
        authorization: "apiKey-0123456789",
        "comet-workspace": "workspace-0123456789",
        projectname: "projectName-0123456789",
      },
    ],
    ["otel-collector", "https://collector.example.com/v1/traces", {}],
    ["ramp", "https://api.ramp.com/developer/v1/ai-usage/openrouter", { authorization: "Bearer apiKey-0123456789" }],
    [
      "sentry",
      "https://o1.ingest.sentry.io/api/2/integration/otlp/v1/traces",
      { "x-sentry-auth": "sentry sentry_key=abcdef0123456789" },
    ],
    ["weave", "https://trace.wandb.ai/otel/v1/traces", { "wandb-api-key": "apiKey-0123456789" }],
    ["webhook", "https://hooks.example.com/in", {}],
  ] as const)("of %s goes where its vendor's documentation says, with its credentials", async (type, url, headers) => {
    const request = await only(type);
    expect(request).toMatchObject({
      method: "POST",
      url,
      headers: { "content-type": type === "weave" ? "application/x-protobuf" : "application/json", ...headers },
    });
  });

  it("takes regions, methods and headers of one's own", async () => {
    expect((await only("newrelic", { region: "eu" })).url).toBe("https://otlp.eu01.nr-data.net/v1/traces");
    expect((await only("webhook", { method: "PUT" })).method).toBe("PUT");
    const sink = sinkOf("webhook", {
      ...configOf("webhook"),
      headers: { "User-Agent": "mine", Authorization: "Bearer x" },
    });
    const [request] = await formats.webhook.toRequests(sink, [chat], now);
    expect(request?.headers).toMatchObject({ "user-agent": "mine", authorization: "Bearer x" });
  });

  it("reads a partial success as a rejection", () => {
    const answer = (body: string) => formats.webhook.readAnswer({ status: 200, headers: {}, body }, now).verdict;
    expect(answer('{"partialSuccess":{"rejectedSpans":"1","errorMessage":"no"}}')).toBe("rejected");
    expect(answer('{"partialSuccess":{"rejectedSpans":0}}')).toBe("accepted");
    expect(answer("rejected by nobody")).toBe("accepted");
  });
});

describe("every format", () => {
  it.each(DestinationType.options)(
    "of %s writes the same calls the same, and nothing of their bodies without them",
    async (type) => {
      const bare = [chat, embeddings].map((event) => ({ ...event, input: null, output: null }));
      const text = JSON.stringify(await requestsOf(type, {}, bare));
      expect(text).not.toMatch(/ünïcode|A standard|"one"/);
      expect(text).toContain(chat.id);
      expect(await requestsOf(type)).toEqual(await requestsOf(type));
      expect(JSON.stringify(await requestsOf(type))).toContain("ünïcode");
    },
  );

  it.each(DestinationType.options)("of %s reads what answers mean", (type) => {
    const read = (status: number, headers = {}) => formats[type].readAnswer({ status, headers, body: "" }, now);
    expect(read(202).verdict).toBe("accepted");
    expect(read(413).verdict).toBe("too_large");
    expect(read(401).verdict).toBe("refused");
    expect(read(302).verdict).toBe("refused");
    expect(read(503).verdict).toBe("retry");
    expect(read(429, { "retry-after": "7" })).toMatchObject({ verdict: "retry", afterMs: 7_000 });
    expect(read(429, { "retry-after": "Fri, 20 Nov 2026 12:01:00 GMT" })).toMatchObject({ afterMs: 60_000 });
    expect(read(429, { "retry-after": "99999999" })).toMatchObject({ afterMs: 3_600_000 });
  });
});

describe("S3", () => {
  it("signs as an independent implementation does", async () => {
    const more = { region: "eu-central-1", sessionToken: "session-0123456789", bucketName: "my-bucket" };
    const request = await only("s3", more);
    const url = new URL(request.url);
    const signed = /SignedHeaders=([^,]+)/.exec(request.headers["authorization"] ?? "")?.[1]?.split(";") ?? [];
    // It would sign the body's length and type, which ours leaves out; its types do not know how to say so.
    const unsigned = { extraHeadersToIgnore: { "content-length": true, "content-type": true } };
    const again = aws4.sign(
      {
        ...unsigned,
        service: "s3",
        region: "eu-central-1",
        method: "PUT",
        host: url.host,
        path: url.pathname,
        body: request.body,
        headers: Object.fromEntries(
          signed.filter((name) => name !== "host").map((name) => [name, request.headers[name] ?? ""]),
        ),
      },
      {
        accessKeyId: "accessKeyId-0123456789",
        secretAccessKey: "secretAccessKey-0123456789",
        sessionToken: "session-0123456789",
      },
    );
    expect(request.headers["authorization"]).toBe(again.headers?.["Authorization"]);
  });

  it("writes one object of JSON lines for each folder, named by what is in it", async () => {
    const pathTemplate = "{prefix}/{year}/{month}/{day}/{apiKeyName}";
    const later = { ...embeddings, startedAt: new Date("2026-11-21T00:00:00.000Z"), keyName: null };
    const requests = await requestsOf("s3", { pathTemplate, endpoint: "https://s3.example.com" }, [chat, later]);
    expect(requests.map(({ url }) => url.replace(/[^/]+$/, ""))).toEqual([
      "https://s3.example.com/bucketName-0123456789/openrouter-traces/2026/11/20/prod_search/",
      "https://s3.example.com/bucketName-0123456789/openrouter-traces/2026/11/21/unknown/",
    ]);
    const [first] = requests;
    expect(JSON.parse(first?.body.trim() ?? "")).toMatchObject({
      GENERATION_ID: chat.id,
      TOTAL_COST: 0.000026,
      CACHED_TOKENS: 2,
      CACHE_WRITE_TOKENS: 4,
    });
    const sum = createHash("sha256")
      .update(first?.body ?? "")
      .digest("hex");
    expect(["UNSIGNED-PAYLOAD", sum]).toContain(first?.headers["x-amz-content-sha256"]);
  });
});

describe("warehouses and others", () => {
  it("ClickHouse gets rows over HTTP, its names quoted, and says when a row does not fit", async () => {
    const request = await only("clickhouse", { table: "a`; drop table b" });
    const url = new URL(request.url);
    expect(url.searchParams.get("query")).toBe(
      "INSERT INTO `database-0123456789`.`a\\`; drop table b` FORMAT JSONEachRow",
    );
    const rows = request.body.split("\n").map((line) => JSON.parse(line));
    expect(rows.map((row) => row.SPAN_TYPE)).toEqual(["GENERATION", "EMBEDDING"]);
    expect(rows[0].CACHE_WRITE_TOKENS).toBe(4);
    const documented = readFileSync(new URL("../../../docs/destinations.md", import.meta.url), "utf8");
    for (const column of Object.keys(rows[0])) expect(documented).toMatch(new RegExp(`\\b${column} [A-Z]`));
    // A table of an earlier version has no such column, and its default is read from here once it has.
    expect(JSON.parse(rows[0].ATTRIBUTES)).toMatchObject({ cache_write_tokens: 4, parameters: chat.parameters });
    expect(url.searchParams.get("input_format_skip_unknown_fields")).toBe("1");
    const read = (status: number, code: string) =>
      formats.clickhouse.readAnswer({ status, headers: { "x-clickhouse-exception-code": code }, body: "" }, now)
        .verdict;
    expect(read(500, "27")).toBe("rejected");
    expect(read(500, "241")).toBe("retry");
    expect(read(404, "60")).toBe("refused");
  });

  it("Datadog gets spans in the documented shape", async () => {
    const request = await only("datadog");
    expect(request.url).toBe("https://api.us5.datadoghq.com/api/intake/llm-obs/v1/trace/spans");
    const { data } = JSON.parse(request.body);
    expect(data).toMatchObject({ type: "span", attributes: { ml_app: "mlApp-0123456789" } });
    expect(data.attributes.spans).toEqual([
      expect.objectContaining({
        name: "Summary",
        start_ns: 1_795_175_998_500_000_000,
        duration: 1_500_000_000,
        status: "ok",
        meta: expect.objectContaining({
          kind: "llm",
          metadata: expect.objectContaining({ temperature: 1, max_tokens: 256, stop: '["END"]' }),
          output: {
            messages: [
              { role: "assistant", content: "A standard." },
              { role: "reasoning", content: "Hm." },
              {
                role: "assistant",
                content: "No.",
                tool_calls: [
                  { name: "g", arguments: { a: 1 }, tool_id: "t2", type: "function" },
                  { name: "sql", arguments: { arguments: "select 1" }, tool_id: "t3", type: "custom" },
                ],
              },
            ],
          },
        }),
        metrics: expect.objectContaining({
          input_tokens: 12,
          output_tokens: 7,
          cache_read_input_tokens: 2,
          cache_write_input_tokens: 4,
          reasoning_output_tokens: 3,
        }),
      }),
      expect.objectContaining({
        status: "error",
        parent_id: "undefined",
        meta: expect.objectContaining({ kind: "embedding" }),
      }),
    ]);
  });

  it("PostHog gets a batch of its AI events, with ids that tell a repeat", async () => {
    const request = await only("posthog");
    expect(request.url).toBe("https://us.i.posthog.com/batch/");
    const { api_key, batch } = JSON.parse(request.body);
    expect(api_key).toBe("apiKey-0123456789");
    expect(batch.map(({ event }: { event: string }) => event)).toEqual(["$ai_generation", "$ai_embedding"]);
    expect(batch[0]).toMatchObject({
      uuid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/),
      distinct_id: "u1",
      properties: {
        $ai_model: "acme/talk",
        $ai_input_tokens: 12,
        $ai_cache_creation_input_tokens: 4,
        $ai_temperature: 1,
        $ai_max_tokens: 256,
        $ai_output_choices: [
          { content: "A standard." },
          { reasoning: "Hm.", tool_calls: [{ id: "t2" }, { id: "t3" }] },
        ],
        $ai_latency: 1.5,
        $ai_total_cost_usd: 0.000026,
      },
    });
  });

  it("Snowflake gets one statement with the rows bound, that a repeat does not repeat", async () => {
    const request = await only("snowflake");
    expect(request.url).toMatch(/^https:\/\/myorg-account1\.snowflakecomputing\.com\/api\/v2\/statements\?requestId=/);
    expect(request.headers).toMatchObject({
      authorization: "Bearer token-0123456789",
      "x-snowflake-authorization-token-type": "PROGRAMMATIC_ACCESS_TOKEN",
    });
    const { statement, bindings, warehouse } = JSON.parse(request.body);
    expect(statement).toMatch(/^merge into "SNOWFLAKE_LEARNING_DB"\."PUBLIC"\."OPENROUTER_TRACES"/);
    const rows = JSON.parse(bindings["1"].value);
    expect(rows).toHaveLength(2);
    // A column that an existing table lacks would fail the statement.
    expect(statement).not.toContain("CACHE_WRITE_TOKENS");
    expect(JSON.parse(rows[0].ATTRIBUTES).cache_write_tokens).toBe(4);
    expect(warehouse).toBe("COMPUTE_WH");
  });
});
