import type { Dispatcher } from "undici";
import { presets } from "#contract/provider-presets.ts";
import type { DetectedProvider, ProviderPreset, ProviderTest } from "#contract/providers.ts";
import { connectionMessage } from "../connection-message.ts";
import { call, CallFailed, readBody } from "./call.ts";
import { readJsonInTurns } from "../read-json.ts";
import { runInTurns, takeTurns } from "../turns.ts";
import { cleanParsed, vendorText, withoutSecrets } from "./redact.ts";
import { adapters, toUpstream, type UpstreamSettings } from "./registry.ts";

const testMs = 10_000;
/** A server on this machine answers at once, or is not worth waiting for. */
const detectMs = 1_500;
const mostBytes = 8 * 1024 * 1024;
const mostErrorBytes = 65_536;
const mostModels = 1_000;
/** Lists and objects in total: about fifty describe one model. */
const mostValues = 200_000;
/** What a provider's settings take as a model's `upstream_id`. */
const longestModelId = 200;

/**
 * Requests a vendor's list of models: proves address and key, and costs nothing. Vendor failures are returned, not
 * thrown.
 */
export async function probe(
  dispatcher: Dispatcher,
  settings: UpstreamSettings,
  timeoutMs = testMs,
): Promise<ProviderTest> {
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
    const bytes = await readBody(answer, mostBytes, signal);
    const { status, headers } = answer;
    if (status >= 300 && status <= 399) {
      const message = `Answered with a redirect (status ${status}), and redirects are not followed: enter the address that it leads to`;
      return done({ ok: false, status, message, models: [] });
    }
    if (status < 200 || status > 299) {
      const body = vendorText(upstream, bytes.subarray(0, mostErrorBytes));
      const { message } = adapter.readFailure(upstream, { status, headers, body });
      return done({ ok: false, status, message, models: [] });
    }
    const turn = takeTurns(`test of ${settings.slug}`);
    const parsed = await readJsonInTurns(bytes, turn, mostValues, { mostBesideLongStrings: mostBytes });
    const clean = await runInTurns(cleanParsed(upstream, bytes, parsed), turn);
    const named = adapter.models.readAnswer(clean.parsed);
    const models = named.filter((id) => id !== "" && id.length <= longestModelId).slice(0, mostModels);
    return done({ ok: true, status, message: `Answered with ${models.length} models`, models });
  } catch (error) {
    if (error instanceof CallFailed) {
      const { status, code } = error.failure;
      const meaning = status === null ? connectionMessage(code, new URL(upstream.baseUrl).host) : null;
      const message = meaning === null ? error.message : `${meaning} (${code})`;
      return done({ ok: false, status, message: withoutSecrets(upstream, message), models: [] });
    }
    const late = error instanceof DOMException && error.name === "TimeoutError";
    const message = late
      ? `No answer within ${timeoutMs / 1_000} s`
      : "Answered with something other than a list of models";
    return done({ ok: false, status: null, message, models: [] });
  }
}

/** A model server, and where it usually is. */
export interface LocalServer {
  readonly preset: ProviderPreset;
  readonly baseUrl: string;
}

/** The model servers that are looked for, at the addresses that they listen on unless told otherwise: loopback alone. */
const localServers = (["ollama", "lm-studio", "vllm", "llama-cpp"] as const).map((preset): LocalServer => ({
  preset,
  baseUrl: presets[preset].baseUrl ?? "",
}));

/**
 * Model servers that answer at their usual address on this machine. Where private networks are denied, the dispatcher
 * connects to none.
 */
export async function detect(
  dispatcher: Dispatcher,
  servers: readonly LocalServer[] = localServers,
  timeoutMs = detectMs,
): Promise<DetectedProvider[]> {
  const looked = servers.map(async ({ preset, baseUrl }): Promise<DetectedProvider[]> => {
    const { name, kind } = presets[preset];
    const settings = { slug: preset, preset, kind, baseUrl, apiKey: null, options: {} };
    const { ok, models } = await probe(dispatcher, settings, timeoutMs);
    // Ollama runs without a model too. The other ports are popular: what lists no models there may be anything.
    return ok && (models.length > 0 || preset === "ollama") ? [{ preset, name, base_url: baseUrl, models }] : [];
  });
  return (await Promise.all(looked)).flat();
}

/** For so long, what a look found is the answer to everybody who asks. */
const foundForMs = 10_000;

/** The same for whoever asks: a page that looks each time it is opened makes no more requests than one look in ten seconds. */
export function openDetection(
  dispatcher: Dispatcher,
  now: () => Date,
  servers?: readonly LocalServer[],
  timeoutMs?: number,
) {
  let last: { at: number; found: Promise<DetectedProvider[]> } | null = null;
  return (): Promise<DetectedProvider[]> => {
    const at = now().getTime();
    if (last === null || at - last.at >= foundForMs || at < last.at)
      last = { at, found: detect(dispatcher, servers, timeoutMs) };
    return last.found;
  };
}
