import type { Worker } from "node:worker_threads";

/** Why a thread has to stop: it used up its processor time, or the machine did not give it that in reasonable time. */
export type ThreadStop = "spent" | "starved";

/**
 * Watches what a thread uses for one piece of work. The bound is on processor time, so that a busy machine does not make
 * good work look endless.
 * @param allowance milliseconds: `cpu` of the thread's own time, its start included; `wall` at the most until it has had that
 * @param stop called at most once
 * @returns what ends the watch
 */
export function watchThread(
  thread: Pick<Worker, "cpuUsage">,
  allowance: { readonly cpu: number; readonly wall: number },
  stop: (why: ThreadStop) => void,
): () => void {
  let before: number | undefined;
  let looking = setTimeout(() => void look(), 0);
  const starving = setTimeout(end, allowance.wall, "starved");
  let watching = true;

  async function look(): Promise<void> {
    const used = await usedMs(thread);
    if (!watching) return;
    before ??= used;
    const left = allowance.cpu - (used - before);
    if (left <= 0) end("spent");
    // it cannot use up what is left sooner than in that time
    else looking = setTimeout(() => void look(), Math.max(left, soonestMs));
  }

  function end(why: ThreadStop): void {
    stopWatching();
    stop(why);
  }

  function stopWatching(): void {
    watching = false;
    clearTimeout(looking);
    clearTimeout(starving);
  }

  return stopWatching;
}

const soonestMs = 20;

/** Milliseconds of processor time; 0 as long as the thread is starting. */
async function usedMs(thread: Pick<Worker, "cpuUsage">): Promise<number> {
  try {
    const { user, system } = await thread.cpuUsage();
    return (user + system) / 1_000;
  } catch {
    return 0;
  }
}
