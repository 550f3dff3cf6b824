import { once } from "node:events";
import { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import type { ProviderKind, ProviderOptions, ProviderPreset } from "#contract/providers.ts";
import type { KeptBody } from "../domain/bodies/body.ts";
import { InsufficientFunds } from "../domain/ledger/reservations.ts";
import type { LedgerEntry } from "../domain/ledger/entry.ts";
import { readPrices } from "../domain/ledger/price.ts";
import { Refusal } from "../domain/refusal.ts";
import { createHealthBoard } from "../domain/routing/health.ts";
import { addressRule } from "../domain/instance/network-guard.ts";
import { createMemoryBudget, roomIn } from "../memory-budget.ts";
import type { CallerForm } from "../relay/caller-form.ts";
import { chat } from "../relay/chat/chat.ts";
import type { RelayDeps } from "../relay/deps.ts";
import type { ModelCall } from "../relay/model-call.ts";
import { createProviderSlots } from "../relay/provider-slots.ts";
import type { ScriptedAnswer } from "./scripted-vendor.ts";

const uncounted = { requestsPerMinute: null, tokensPerMinute: null };

/** What a vendor is sent. */
export interface SentToVendor {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type Script = (sent: SentToVendor) => ScriptedAnswer | Promise<ScriptedAnswer>;

/** A provider and its one model; what is not given is plain. */
export interface ExchangePartner {
  readonly kind?: ProviderKind;
  readonly preset?: ProviderPreset;
  readonly baseUrl?: string;
  readonly options?: ProviderOptions;
  readonly apiKey?: string;
  readonly model?: object;
  /** of the caller's key, USD; default: none */
  readonly limit?: number;
  /** for the vendor's answer, bytes, of which a key alone may have half; default: plenty */
  readonly room?: number;
  /** the caller's */
  readonly headers?: Readonly<Record<string, string>>;
}

/** One call of a conversation, from the caller's bytes to the caller's bytes. */
export interface Exchange {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers whose shape is what they test
  readonly json: any;
  readonly sent: readonly SentToVendor[];
  /** what the ledger gets; undefined: nothing was charged */
  readonly entry: LedgerEntry | undefined;
  /** what a workspace that keeps bodies keeps of it; null: it is too long */
  readonly record: KeptBody | null;
  /** what the caller is told instead of an answer */
  readonly refusal: Refusal | null;
}

export const exchangeKey = "sk-vendor-0123456789abcdef";
const prices = { prompt: "0.000001", completion: "0.000002" };

/**
 * Makes a call in one of the forms of a conversation, of the real relay, without HTTP and without a store: the vendor's
 * answer is given, and what is charged is noted.
 * @param body the caller's, as bytes or as JSON
 */
export async function exchange(
  form: CallerForm,
  body: string | object,
  answer: ScriptedAnswer | Script,
  partner: ExchangePartner = {},
): Promise<Exchange> {
  const sent: SentToVendor[] = [];
  const entries: LedgerEntry[] = [];
  const records: KeptBody[] = [];
  const deps = relayDeps(partner, { entries, records }, (request) => {
    sent.push(request);
    return typeof answer === "function" ? answer(request) : answer;
  });
  const room = roomIn(createMemoryBudget(partner.room ?? 1_000_000_000), "key");
  const call = {
    credential: { hash: "key", workspaceId: "w", spendId: "s", limits: [], creatorUserId: null, ...uncounted },
    body: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
    attribution: { referer: null, title: null, categories: [] },
    headers: partner.headers ?? {},
    requestId: "req_1",
    apiUrl: "http://gateway.example/api/v1",
    sourceIp: null,
    signal: new AbortController().signal,
    room,
    until: () => {},
  } as unknown as ModelCall;
  const nothing = { status: 0, headers: {}, text: "", json: undefined };
  try {
    const { status, headers, body: written } = await chat(deps, call, form);
    const text = written instanceof Readable ? await collected(written) : textOf(written);
    const isJson = /json/.test(headers["content-type"] ?? "");
    return {
      status,
      headers,
      text,
      json: isJson ? JSON.parse(text) : undefined,
      sent,
      entry: entries[0],
      record: records[0] ?? null,
      refusal: null,
    };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const [entry, record = null] = [entries[0], records[0]];
    return { ...nothing, status: form.statusOf(error.type), sent, entry, record, refusal: error };
  }
}

const textOf = (body: string | readonly Buffer[]) =>
  typeof body === "string" ? body : Buffer.concat([...body]).toString("utf8");

async function collected(stream: Readable): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(Buffer.from(piece as Buffer));
  if (!stream.closed) await once(stream, "close");
  return Buffer.concat(pieces).toString("utf8");
}

/** What the relay needs to answer conversations, with a catalog of one provider. */
function relayDeps(
  { kind = "openai-compatible", preset = "custom", limit, ...given }: ExchangePartner,
  { entries, records }: { readonly entries: LedgerEntry[]; readonly records: KeptBody[] },
  answer: Script,
): RelayDeps {
  const provider = {
    slug: "acme",
    name: "Acme",
    kind,
    preset,
    baseUrl: given.baseUrl ?? "https://vendor.example/v1",
    apiKey: given.apiKey ?? exchangeKey,
    unreadable: false,
    options: given.options ?? {},
    dataCollection: "deny",
    zdr: false,
    position: 0,
  };
  const model = {
    id: "acme/talk",
    upstreamId: "upstream-talk",
    type: "chat",
    name: "Talk",
    contextLength: 200_000,
    maxCompletionTokens: 8_192,
    inputModalities: ["text", "image"],
    prices: readPrices(prices),
    quantization: "unknown",
    supportedParameters: null,
    distillable: null,
    ...given.model,
  };
  const most = limit === undefined ? null : BigInt(Math.round(limit * 1e9));
  const limits = most === null ? [] : [{ limit: most, reset: null, includeByok: true }];
  const policy = {
    accounts: [{ spendId: "s", owner: "key", kind: "key", limits }],
    guardrails: [],
    workspace: { ...uncounted, defaultSort: null, defaultTextModel: null, keptBodies: 0 },
  };
  const catalog = { providers: [provider], offers: new Map([[model.id, [{ provider, model }]]]), byok: new Map() };
  const deps = {
    domain: {
      now: () => new Date("2026-11-21T12:00:00.000Z"),
      accounts: { of: async () => policy },
      catalog: { current: () => catalog },
      health: createHealthBoard(),
      bodies: { keep: (_: string, __: boolean, body: () => KeptBody) => void records.push(body()) },
    },
    ledger: {
      async reserve({ accounts, least, byok }: { accounts: []; least: bigint; byok: boolean }) {
        if (most !== null && least > most) {
          const none = { spent: 0n, reserved: 0n, reset: null, resetsAt: null };
          throw new InsufficientFunds({ kind: "key", limit: most, needed: least, ...none });
        }
        return { accounts, amount: least, byok };
      },
      async raise() {},
      release() {},
      settle(_: unknown, entry: LedgerEntry) {
        entries.push(entry);
        return { own: entry.cost, byok: entry.byokCost, overrun: 0n, committed: Promise.resolve() };
      },
    },
    dispatcher: { request: async (request: VendorRequest) => respond(await answer(asSent(request))) },
    callerAddress: addressRule("deny", "caller"),
    resolve: async () => [],
    providerSlots: createProviderSlots(10, 1_000),
    responseCache: { isOn: false },
    random: () => 0.5,
    interrupted: () => null,
    untilSettled: () => {},
    settings: { upstreamTimeoutMs: 60_000, refuseUnpriced: true, requestsPerMinute: null },
  };
  return deps as unknown as RelayDeps;
}

interface VendorRequest {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | Buffer;
}

const asSent = ({ path, headers, body }: VendorRequest): SentToVendor => ({ path, headers, body: String(body) });

/** An answer as undici hands it over. */
function respond({ status = 200, headers = {}, pieces, betweenMs = 0, hold, end }: ScriptedAnswer) {
  async function* written() {
    for (const [index, piece] of pieces.entries()) {
      if (index === hold?.from) await hold.until;
      if (betweenMs > 0) await wait(betweenMs);
      yield Buffer.from(piece as string);
    }
    if (end === "cut") throw Object.assign(new Error("other side closed"), { code: "UND_ERR_SOCKET" });
  }
  return { statusCode: status, headers, body: Readable.from(written()) };
}
