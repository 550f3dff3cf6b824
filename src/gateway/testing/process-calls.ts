import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { FakeVendor } from "./fake-vendor.ts";
import { type RunningGateway, unoptimized } from "./process.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** What a call to `acme/embed` costs, dollars: two tokens. */
export const costOfCall = 0.000002;
/** The same for every process that a test starts on one store. */
export const sharedSecrets = {
  GATEHOUSE_MANAGEMENT_KEY: "a-management-key-of-this-test-alone",
  GATEHOUSE_SECRET_KEY: "a-secret-key-of-this-test-alone-long-enough",
};
let texts = 0;

/** An answer of a running gateway. */
export interface ProcessAnswer {
  readonly status: number;
  /** of the call on the ledger */
  readonly id: string | null;
  readonly headers: Headers;
  readonly text: string;
}

export async function manage(gateway: RunningGateway, method: string, path: string, body?: unknown) {
  const response = await fetch(`${gateway.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${gateway.managementKey}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const json = (await response.json()) as { key: string; data: Record<string, unknown> };
  return { ...json, status: response.status, headers: response.headers };
}

/** Makes the provider `acme` at `vendor`, with the models `acme/embed` and `acme/talk`. */
export async function addVendor(gateway: RunningGateway, vendor: FakeVendor): Promise<void> {
  const pricing = { prompt: "0.000001" };
  const embed = { upstream_id: "embed-small", name: "Embed", context_length: 8192, pricing };
  const talk = { upstream_id: "talk", name: "Talk", context_length: 32_768, max_completion_tokens: 64 };
  await manage(gateway, "POST", "/providers", {
    slug: "acme",
    name: "Acme",
    kind: "openai-compatible",
    base_url: vendor.baseUrl,
    api_key: null,
    data_collection: "deny",
    enabled: true,
    models: [
      { id: "acme/embed", type: "embedding", dimensions: 4, ...embed },
      { id: "acme/talk", type: "chat", ...talk, pricing: { ...pricing, completion: "0.000002" } },
    ],
  });
}

/** Makes an ordinary key. @param limit dollars; null: none */
export async function addKey(gateway: RunningGateway, limit: number | null, more: object = {}) {
  const { key, data } = await manage(gateway, "POST", "/keys", { name: "a key of this test", limit, ...more });
  return { key, hash: String(data["hash"]) };
}

async function post(gateway: RunningGateway, path: string, key: string, body: object): Promise<ProcessAnswer> {
  const response = await fetch(`${gateway.url}/api/v1${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, id: response.headers.get("x-generation-id"), headers: response.headers, text };
}

/** A call that no cache knows the answer of. */
export async function embed(gateway: RunningGateway, key: string): Promise<ProcessAnswer> {
  return await post(gateway, "/embeddings", key, { model: "acme/embed", input: `text ${(texts += 1)}` });
}

/** A stream, read to its end. */
export async function chat(gateway: RunningGateway, key: string): Promise<ProcessAnswer> {
  const messages = [{ role: "user", content: `text ${(texts += 1)}` }];
  return await post(gateway, "/chat/completions", key, { model: "acme/talk", messages, stream: true, max_tokens: 8 });
}

/** Runs the command `verify`, and hands out what it prints; rejects when it ends with 1. */
export async function verify(environment: Record<string, string | undefined>): Promise<string> {
  const run = promisify(execFile)(process.execPath, [unoptimized, "src/gateway/main.ts", "verify"], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: undefined, ...environment },
  });
  return (await run).stdout;
}
