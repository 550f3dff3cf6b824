import type { Dispatcher } from "undici";
import { presets } from "#contract/provider-presets.ts";
import type { DetectedProvider, ProviderTest } from "#contract/providers.ts";
import { call, CallFailed, readBody } from "./call.ts";
import { withoutSecrets } from "./failure.ts";
import { adapters, toUpstream, type UpstreamSettings } from "./registry.ts";

const timeoutMs = 10_000;
const mostBytes = 8 * 1024 * 1024;
const mostModels = 1_000;

/** Asks a vendor for its list of models: proves address and key, and costs nothing. What the vendor does is an answer, not an error. */
export async function probe(dispatcher: Dispatcher, settings: UpstreamSettings): Promise<ProviderTest> {
  const started = performance.now();
  const done = (rest: Omit<ProviderTest, "latency_ms">): ProviderTest => ({
    ...rest,
    latency_ms: Math.round(performance.now() - started),
  });
  const adapter = adapters[settings.kind];
  if (!adapter) return done({ ok: true, status: null, message: "Built in: it makes no calls", models: [] });
  const upstream = toUpstream(settings);
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const answer = await call(dispatcher, adapter.models.toRequest(upstream), {
      signal,
      headersTimeoutMs: timeoutMs,
      bodyTimeoutMs: timeoutMs,
    });
    const body = (await readBody(answer, mostBytes, signal)).toString("utf8");
    const { status, headers } = answer;
    if (status < 200 || status > 299) {
      const { message } = adapter.readFailure(upstream, { status, headers, body });
      return done({ ok: false, status, message, models: [] });
    }
    const models = adapter.models.readAnswer(body).slice(0, mostModels);
    return done({ ok: true, status, message: `Answered with ${models.length} models`, models });
  } catch (error) {
    if (error instanceof CallFailed) {
      return done({
        ok: false,
        status: error.failure.status,
        message: withoutSecrets(upstream, error.message),
        models: [],
      });
    }
    const late = error instanceof DOMException && error.name === "TimeoutError";
    const message = late
      ? `No answer within ${timeoutMs / 1_000} s`
      : "Answered with something else than a list of models";
    return done({ ok: false, status: null, message, models: [] });
  }
}

/**
 * Model servers that answer at their usual address on this machine.
 * @param address where Ollama usually is
 */
export async function detect(
  dispatcher: Dispatcher,
  address = presets.ollama.baseUrl ?? "",
): Promise<DetectedProvider[]> {
  const { name, kind } = presets.ollama;
  const settings = { slug: "ollama", preset: "ollama", kind, baseUrl: address, apiKey: null, options: {} } as const;
  const found = await probe(dispatcher, settings);
  return found.ok ? [{ preset: "ollama", name, base_url: address, models: found.models }] : [];
}
