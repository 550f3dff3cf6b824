import type { FakeVendor } from "./fake-vendor.ts";
import type { RunningGateway } from "./process.ts";

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

const ask = (gateway: RunningGateway, method: string, path: string, key: string, body?: unknown) =>
  fetch(`${gateway.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

export async function manage(gateway: RunningGateway, method: string, path: string, body?: unknown) {
  const response = await ask(gateway, method, path, gateway.managementKey, body);
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

export async function usageOf(gateway: RunningGateway, hash: string): Promise<number> {
  return Number((await manage(gateway, "GET", `/keys/${hash}`)).data["usage"]);
}

/** A call with an ordinary key, read to its end; without a body a GET. */
export async function call(gateway: RunningGateway, key: string, path: string, body?: object): Promise<ProcessAnswer> {
  const response = await ask(gateway, body === undefined ? "GET" : "POST", path, key, body);
  const text = await response.text();
  return { status: response.status, id: response.headers.get("x-generation-id"), headers: response.headers, text };
}

/** A call that no cache knows the answer of. */
export const embed = (gateway: RunningGateway, key: string) =>
  call(gateway, key, "/embeddings", { model: "acme/embed", input: `text ${(texts += 1)}` });

/** A stream, read to its end. */
export const chat = (gateway: RunningGateway, key: string) =>
  call(gateway, key, "/chat/completions", {
    model: "acme/talk",
    messages: [{ role: "user", content: `text ${(texts += 1)}` }],
    stream: true,
    max_tokens: 8,
  });

/** Sixteen callers, until the gateway or the test's patience ends; what was answered whole is noted. */
export async function load(
  gateway: RunningGateway,
  key: string,
  answered: string[],
  until?: AbortSignal,
): Promise<void> {
  const caller = async () => {
    while (until?.aborted !== true) {
      const { status, id } = await embed(gateway, key);
      if (status === 200 && id !== null) answered.push(id);
    }
  };
  await Promise.all(Array.from({ length: 16 }, () => caller().catch(() => {})));
}

/** Runs a command of the program in this process. */
export async function command(args: readonly string[], environment: Record<string, string | undefined>) {
  const { runCommand } = await import("../commands.ts");
  let [out, err] = ["", ""];
  const code = await runCommand(args, {
    environment,
    print: (text) => void (out += `${text}\n`),
    tell: (text) => void (err += `${text}\n`),
  });
  return { code, out, err };
}

/** Runs the command `verify`, and hands out what it prints. @throws when it ends with 1 */
export async function verify(environment: Record<string, string | undefined>): Promise<string> {
  const { code, out, err } = await command(["verify"], environment);
  if (code !== 0) throw new Error(out + err);
  return out;
}
