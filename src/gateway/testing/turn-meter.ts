/**
 * Loaded into a gateway's process by a test: reports how long its thread has worked without a pause. Measured in the
 * thread's own CPU time, so that a busy machine, which makes the process wait, makes no difference.
 */
export interface TurnReport {
  /** CPU milliseconds of the longest turn since the last report; the timer's own interval is in it */
  longestMs: number;
  /** CPU milliseconds of a fixed piece of work: how fast this machine is right now; 0 after short turns only */
  referenceMs: number;
  /** CPU milliseconds in which the system gives out 30 MB of fresh memory, right now */
  freshMs: number;
  /** the most memory that the process had so far */
  rssMb: number;
}

const everyMs = 5;
const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

let longestMs = 0;
let before = cpuMs();
setInterval(() => {
  const now = cpuMs();
  longestMs = Math.max(longestMs, now - before);
  before = now;
}, everyMs).unref();

function reference(): number {
  const began = cpuMs();
  let text = "";
  for (let at = 0; at < 40_000; at += 1) text += `{"a${at}":[${at},"${at * 7}"]},`;
  JSON.parse(`[${text}0]`);
  return cpuMs() - began;
}

function freshMemory(): number {
  const began = cpuMs();
  const bytes = new Uint8Array(30_000_000);
  for (let at = 0; at < bytes.length; at += 4_096) bytes[at] = 1;
  return cpuMs() - began;
}

process.on("message", () => {
  // What was short needs no excuse.
  const isShort = longestMs < 50;
  const report: TurnReport = {
    longestMs,
    referenceMs: isShort ? 0 : Math.min(reference(), reference(), reference()),
    freshMs: isShort ? 0 : Math.max(freshMemory(), freshMemory()),
    rssMb: process.resourceUsage().maxRSS / 1_024,
  };
  process.send?.(report);
  longestMs = 0;
  before = cpuMs();
});
process.channel?.unref();
