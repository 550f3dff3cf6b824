// Loaded into a gateway by bench/overload.ts: what its thread works in processor time, so that a busy machine, which makes
// the process wait, makes no difference. A request with the header x-probe is measured from its arrival to its answer.
import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import { percentile } from "./figures.ts";

/** Processor milliseconds of the gateway's main thread. */
export interface MeterReport {
  /** between two looks 5 ms apart, while the thread works without a pause */
  readonly turns: { readonly p99: number; readonly longest: number };
  /** between a probe's arrival and its answer, by the probe's name */
  readonly probes: Record<string, { readonly p50: number; readonly p99: number }>;
  /** of all threads since the last report */
  readonly processMs: number;
}

const everyMs = 5;
const threadMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

let turns: number[] = [];
let probes = new Map<string, number[]>();
let before = threadMs();
let used = process.cpuUsage();
setInterval(() => {
  const now = threadMs();
  turns.push(now - before);
  before = now;
}, everyMs).unref();

const began = new WeakMap<IncomingMessage, number>();
subscribe("http.server.request.start", (message) => {
  const { request } = message as { request: IncomingMessage };
  if (request.headers["x-probe"] !== undefined) began.set(request, threadMs());
});
subscribe("http.server.response.finish", (message) => {
  const { request } = message as { request: IncomingMessage };
  const since = began.get(request);
  if (since === undefined) return;
  const name = String(request.headers["x-probe"]);
  probes.set(name, [...(probes.get(name) ?? []), threadMs() - since]);
});

process.on("message", () => {
  const { user, system } = process.cpuUsage(used);
  const report: MeterReport = {
    turns: { p99: percentile(turns, 99), longest: Math.max(0, ...turns) },
    probes: Object.fromEntries(
      [...probes].map(([name, times]) => [name, { p50: percentile(times, 50), p99: percentile(times, 99) }]),
    ),
    processMs: (user + system) / 1_000,
  };
  process.send?.(report);
  turns = [];
  probes = new Map();
  used = process.cpuUsage();
  before = threadMs();
});
process.channel?.unref();
