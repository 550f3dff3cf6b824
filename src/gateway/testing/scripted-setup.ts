import { afterAll, beforeAll, beforeEach } from "vitest";
import type { CreateProviderBody } from "#contract/providers.ts";
import { eventually } from "./eventually.ts";
import { makeKey, makeProvider } from "./factories.ts";
import type { CallOptions, TestGateway } from "./gateway.ts";
import { ledgerRow } from "./ledger-calls.ts";
import { type ScriptedVendor, startScriptedVendor } from "./scripted-vendor.ts";

export const claudesKey = "sk-ant-vendor-0123456789abcdef";
export const vendorsKey = "sk-vendor-0123456789abcdef";

/** Prices at which amounts are easy to read: a prompt token costs 1,000 nano-dollars, a completion token 2,000. */
const talker = {
  type: "chat" as const,
  context_length: 200_000,
  max_completion_tokens: 8_192,
  input_modalities: ["text" as const, "image" as const],
  pricing: { prompt: "0.000001", completion: "0.000002" },
};
export const claude = { ...talker, upstream_id: "claude-upstream", name: "Claude" };

type Gateway = () => TestGateway;
interface Changes {
  readonly slug?: string;
  readonly provider?: object;
  readonly model?: object;
}

type Provider = Pick<CreateProviderBody, "slug" | "models"> & Partial<CreateProviderBody>;

/** A vendor that answers what it is told to, and a provider at it, which is deleted after the block. */
function withScripted(gateway: Gateway, provider: Provider): () => ScriptedVendor {
  let vendor: ScriptedVendor | undefined;
  beforeAll(async () => {
    vendor = await startScriptedVendor();
    await makeProvider(gateway(), { base_url: `${vendor.url}/v1`, ...provider });
  });
  afterAll(async () => {
    await gateway().call("DELETE", `/providers/${provider.slug}`);
    await vendor?.close();
  });
  return () => {
    if (vendor === undefined) throw new Error("the vendor is there within tests only");
    return vendor;
  };
}

/** A provider of models that make or read media. */
export function withMediaVendor(gateway: Gateway, provider: Provider) {
  return withScripted(gateway, { api_key: vendorsKey, ...provider });
}

interface Operation {
  /** such as `/images` */
  readonly path: string;
  /** of a call, without its model and its provider */
  readonly body: object;
  /** those of the provider `acme`; the first is the one that is called, and the provider `second` has it as well */
  readonly models: NonNullable<CreateProviderBody["models"]>;
  readonly preset?: CreateProviderBody["preset"];
  /** what both vendors answer unless a test says otherwise */
  readonly answer: Parameters<ScriptedVendor["answer"]>[0];
}

/** An operation at two providers, and a key of each test's own that may spend ten dollars. */
export function withOperation(gateway: Gateway, { path, body, models, preset, answer }: Operation) {
  const vendor = withMediaVendor(gateway, { slug: "acme", ...(preset && { preset }), models: [...models] });
  const second = withMediaVendor(gateway, { slug: "second", models: models.slice(0, 1) });
  let key = "";
  let hash = "";
  beforeEach(async () => {
    const made = await makeKey(gateway(), { limit: 10 });
    [key, hash] = [made.key, made.record.hash];
    for (const each of [vendor(), second()]) {
      each.requests.length = 0;
      each.answer(answer);
    }
    // What failed in other tests is forgotten by then.
    gateway().clock.advance(3_600_000);
  });
  const whole = (more: object) => ({ model: models[0]?.id, ...body, provider: { only: ["acme"] }, ...more });
  const row = async ({ headers }: { headers: Headers }) => await ledgerRow(gateway(), headers.get("x-generation-id"));
  return {
    vendor,
    second,
    key: () => key,
    hash: () => hash,
    /** Calls it at `acme` alone, unless `more` has another provider. */
    ask: async (more: object = {}, options: CallOptions = {}) =>
      await gateway().call("POST", path, { key, body: whole(more), ...options }),
    /** The same, answered as it comes. */
    begin: async (more: object = {}, signal?: AbortSignal) =>
      await fetch(`${gateway().url}/api/v1${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify(whole(more)),
        ...(signal && { signal }),
      }),
    row,
    /** The row of a call whose answer may not have ended yet. */
    ended: async (begun: { headers: Headers }) =>
      await eventually(
        async () => await row(begun),
        (found) => found !== undefined,
      ),
    /** USD, by the key's counter */
    spent: async (): Promise<number> => (await gateway().call("GET", `/keys/${hash}`)).json.data.usage,
    /** the JSON that `acme` got last */
    sent: () => JSON.parse(vendor().requests.at(-1)?.body ?? "{}"),
  };
}

/** A provider of Anthropic's dialect, with the model `acme/claude`. */
export function withClaude(gateway: Gateway, { slug = "claude", provider, model }: Changes = {}) {
  const models = [{ id: "acme/claude", ...claude, ...model }];
  const dialect = { kind: "anthropic", preset: "anthropic" } as const;
  return withScripted(gateway, { slug, ...dialect, api_key: claudesKey, models, ...provider });
}

/** A provider of OpenAI's dialects, responses among them, with the model `acme/thinker`. */
export function withResponder(gateway: Gateway, { slug = "responder", provider, model }: Changes = {}) {
  const models = [{ id: "acme/thinker", ...talker, upstream_id: "upstream-model", name: "Thinker", ...model }];
  const dialect = { kind: "openai-compatible", preset: "openai" } as const;
  return withScripted(gateway, { slug, ...dialect, api_key: vendorsKey, models, ...provider });
}
