// What no request may do, measured: how long it holds the event loop of the real program, and how much memory it takes.
import { once } from "node:events";
import { request as send, Agent } from "node:http";
import { afterAll, beforeAll } from "vitest";
import { directoryFolder, directoryGroup } from "./directory-requests.ts";
import type { HostileRequest } from "./hostile-requests.ts";
import { type RunningGateway, startGatewayProcess } from "./process.ts";
import { startChatVendor, vastKinds } from "./chat-vendor.ts";
import type { TurnReport } from "./turn-meter.ts";

/** What no request may hold the event loop beyond, in CPU time of a machine like the one below. */
export const boundMs = 50;
/** The interval at which the meter looks. */
const meterMs = 5;
/** CPU milliseconds that the meter's references take on the machine that the bound was set on. */
const [referenceMs, freshMs] = [22, 15];
/** The most that a vendor answers, bytes. */
const vastBytes = 32_000_000;

/** What the gateway holds at most, in all: its heap's limit, the bodies that it has room for, and what it starts with. */
const mostRssMb = 2_000;
/** What setup/memory-flags.js starts the program again with; that would close the channel to this test. */
const memoryFlags = ["--max-semi-space-size=4"];

let gateway: RunningGateway;
let vendor: Awaited<ReturnType<typeof startChatVendor>>;
let ordinaryKey = "";
let filteredKey = "";
let scimToken = "";

export const api = async (method: string, path: string, body?: unknown) => {
  const answer = await fetch(`${gateway.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${gateway.managementKey}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await answer.json()) as { key: string; token: string; data: { hash: string; id: string } };
};

/** A provider whose models cost nothing: their ids, types and, for chat, that they see. */
async function addProvider(slug: string, kind: string, path: string, models: Record<string, string>, preset?: string) {
  const made = await api("POST", "/providers", {
    slug,
    name: slug,
    kind,
    ...(preset === undefined ? {} : { preset }),
    base_url: `${vendor.url}${path}`,
    api_key: "sk-ant-0123456789abcdef",
    models: Object.entries(models).map(([id, type]) => ({
      id,
      upstream_id: id.replace(/^.*\//, ""),
      type,
      ...(type === "chat" && { input_modalities: ["text", "image"] }),
      ...(type === "embedding" && { dimensions: 3_072 }),
      pricing: type === "chat" ? { prompt: "0", completion: "0" } : { prompt: "0" },
    })),
  });
  if (!("data" in made)) throw new Error(`no provider was made: ${JSON.stringify(made)}`);
}

/** Starts the real program with a meter of its turns, and all that hostile requests are sent to. */
export function withMeteredGateway(): void {
  beforeAll(prepare);
  afterAll(async () => {
    await gateway?.dispose();
    await vendor?.close();
  });
}

/** The address of its vendor. */
export const vendorUrl = () => vendor.url;
/** Null as long as it lives. */
export const exitCode = () => gateway.process.exitCode;

async function prepare(): Promise<void> {
  vendor = await startChatVendor();
  gateway = await startGatewayProcess({
    dataDir: await directoryFolder(),
    nodeArguments: [...memoryFlags, "--max-old-space-size=1500", "--import", "./src/gateway/testing/turn-meter.ts"],
    env: { MALLOC_ARENA_MAX: "1" },
  });
  const compatible = "openai-compatible";
  const media = {
    "acme/voice": "speech",
    "acme/ear": "transcription",
    "acme/painter": "image",
    "acme/camera": "video",
  };
  await addProvider("acme", compatible, "", { "acme/talk": "chat" });
  await addProvider("claude", "anthropic", "/anthropic", { "acme/claude": "chat" });
  await addProvider("voice", compatible, "", media, "openrouter");
  await addProvider("editor", compatible, "", { "acme/editor": "image", "acme/animator": "video" }, "openai");
  await addProvider("responses", compatible, "/responses", { "acme/thinker": "chat" }, "openai");
  for (const kind of ["vast", "stream-vast"]) {
    const models = { [`${kind}/thinker`]: "chat", [`${kind}/painter`]: "image" };
    await addProvider(`${kind}-openai`, compatible, `/${kind}`, models, "openai");
    await addProvider(kind, "anthropic", `/${kind}`, { [`${kind}/claude`]: "chat" });
  }
  for (const kind of vastKinds) {
    const models = { [`vast/${kind}`]: "chat", [`vast/${kind}-embed`]: "embedding" };
    await addProvider(`vast-${kind}`, compatible, `/${kind}`, models);
  }
  // With bodies kept, sealing them is part of a call, and rules have texts to be run over.
  await api("PATCH", "/workspaces/default", { is_observability_io_logging_enabled: true, io_logging_sampling_rate: 1 });
  ordinaryKey = (await api("POST", "/keys", { name: "hostile" })).key;
  const filtered = await api("POST", "/keys", { name: "filtered" });
  filteredKey = filtered.key;
  const builtins = ["email", "phone", "ssn", "credit-card", "ip-address", "regex-prompt-injection"];
  const { data: guardrail } = await api("POST", "/guardrails", {
    name: "Hostile",
    content_filter_builtins: builtins.map((slug) => ({ slug, action: "redact" })),
    content_filters: ["(?:a?){100}a{100}b", "a[^b]*b|word", "(?i)confidential"].map((pattern) => ({
      pattern,
      action: "redact",
    })),
  });
  await api("POST", `/guardrails/${guardrail.id}/assignments/keys`, { key_hashes: [filtered.data.hash] });
  scimToken = (await api("POST", "/scim/tokens", { name: "hostile" })).token;
  for (let count = 0; count < 3; count += 1) {
    const { data } = await api("POST", "/workspaces", { name: `Mapped ${count}`, slug: `mapped-${count}` });
    await api("POST", "/scim/group-mappings", { scim_group_id: directoryGroup, workspace_id: data.id, role: "member" });
  }
}

/** The gateway's own report of its longest turn since the one before. */
export async function report(): Promise<TurnReport> {
  const { process: own } = gateway;
  const over = new AbortController();
  const ended = () => new Error(`the gateway has ended:\n${gateway.printed().slice(-5_000)}`);
  if (!own.connected) throw ended();
  const told = once(own, "message", { signal: over.signal }) as Promise<[TurnReport]>;
  const gone = once(own, "disconnect", { signal: over.signal }).then(() => Promise.reject(ended()));
  own.send("report");
  const [answer] = await Promise.race([told, gone]);
  over.abort();
  return answer;
}

const agent = new Agent({ keepAlive: false });

/** The status, or 0 where the connection ended without one, or a stream without its last words. */
export async function attack({ method, path, as, body, headers }: HostileRequest, bytes = body?.()): Promise<number> {
  const key = {
    nobody: null,
    ordinary: ordinaryKey,
    filtered: filteredKey,
    management: gateway.managementKey,
    directory: scimToken,
  }[as];
  return await new Promise((resolve) => {
    const sent = send(`${gateway.url}${path}`, {
      method,
      agent,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(bytes === undefined
          ? {}
          : { "content-type": "application/json", "content-length": Buffer.byteLength(bytes) }),
        ...headers,
      },
    });
    sent.on("response", (answer) => {
      let tail = "";
      answer.on("data", (piece: Buffer) => (tail = (tail + piece.toString("latin1", piece.length - 20)).slice(-20)));
      const isStream = answer.headers["content-type"]?.includes("event-stream") === true;
      const isOver = () => !isStream || /\[DONE\]|message_stop/.test(tail);
      answer.on("close", () => resolve(isOver() ? (answer.statusCode ?? 0) : 0));
    });
    sent.on("error", () => resolve(0));
    sent.end(bytes);
  });
}

/** Another caller on a connection of its own, who may be told to come again, until it is stopped: its longest wait. */
function watch() {
  const own = new Agent({ keepAlive: true, maxSockets: 1 });
  let stopped = false;
  let longest = 0;
  const ended = (async () => {
    while (!stopped) {
      const began = performance.now();
      await new Promise<void>((resolve, reject) => {
        const headers = { authorization: `Bearer ${gateway.managementKey}` };
        const asked = send(`${gateway.url}/api/v1/key`, { agent: own, headers }, (answer) => {
          answer.resume();
          const isRight = answer.statusCode === 200 || answer.statusCode === 503;
          answer.on("end", () => (isRight ? resolve() : reject(new Error(`${answer.statusCode}`))));
        });
        asked.on("error", reject);
        asked.end();
      });
      longest = Math.max(longest, performance.now() - began);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    own.destroy();
  })();
  return async () => {
    stopped = true;
    await ended;
    return longest;
  };
}

/**
 * Sends one request, as often as it says at once, while another caller makes cheap calls. On a machine that is slower, at
 * its work or at giving out the fresh memory that a body needs, a turn may take as much longer.
 */
export async function measure(one: HostileRequest) {
  const body = one.body?.();
  const bytes = body === undefined ? 0 : Buffer.byteLength(body);
  const stop = watch();
  const statuses = await Promise.all(Array.from({ length: one.times ?? 1 }, () => attack(one, body)));
  const waitedMs = await stop();
  const told = await report();
  const moved = /vast/.test(String(body?.slice(0, 100))) ? vastBytes : bytes;
  const slowMemoryMs = Math.max(0, told.freshMs - freshMs) * (moved / 30_000_000);
  const ownMs = Math.max(0, told.longestMs - meterMs - slowMemoryMs) / Math.max(1, told.referenceMs / referenceMs);
  return { ownMs, waitedMs, statuses, rssMb: told.rssMb, bytes };
}

/**
 * Measures again, later and later, what seemed to take long, and goes by the least: garbage that others left may be
 * collected meanwhile, and a busy machine gives out memory slowly for a while. What really holds the thread does so each
 * time.
 */
async function measureOften(one: HostileRequest) {
  let measured = await measure(one);
  for (let again = 0; again < 10 && measured.ownMs > boundMs; again += 1) {
    await new Promise((resolve) => setTimeout(resolve, again * 1_000));
    const next = await measure(one);
    if (next.ownMs < measured.ownMs) measured = next;
  }
  return measured;
}

const rowOf = ({ ownMs, waitedMs, statuses, rssMb, bytes }: Awaited<ReturnType<typeof measure>>, name: string) => {
  const figures = [ownMs.toFixed(1).padStart(8), waitedMs.toFixed(0).padStart(8), rssMb.toFixed(0).padStart(7)];
  return `${figures.join("")}  ${[...new Set(statuses)].join(" ").padEnd(8)} ${(bytes / 1e6).toFixed(1).padStart(5)}  ${name}`;
};
const header = "turn, ms  wait, ms  MB  status  MB sent";

/** Measures each, and prints the table. @returns the rows that hold the thread or the memory, or are answered otherwise */
export async function beyondBounds(requests: readonly HostileRequest[], isRight: (status: number) => boolean) {
  const rows: string[] = [];
  const wrong: string[] = [];
  for (const one of requests) {
    const measured = await measureOften(one);
    const row = rowOf(measured, `${one.path.slice(8, 40)} ${one.name}`);
    rows.push(row);
    const { ownMs, rssMb, statuses } = measured;
    if (ownMs > boundMs || rssMb > mostRssMb || !statuses.every(isRight)) wrong.push(row);
  }
  process.stdout.write(`${header}\n${rows.join("\n")}\n`);
  return wrong;
}
