import type { Progress } from "./run-batch.ts";

/** A rate is of the last seconds: what a run did before it was paused says nothing of how long the rest takes. */
const windowMs = 10_000;

/** Rows a second lately, told with each progress; null as long as there is nothing to go by. */
export function makeRate(): (progress: Pick<Progress, "state" | "done">, at: number) => number | null {
  let seen: { at: number; done: number }[] = [];
  return ({ state, done }, at) => {
    if (state !== "running") seen = [];
    seen.push({ at, done });
    while (seen.length > 2 && at - (seen[0]?.at ?? at) > windowMs) seen.shift();
    const [first] = seen;
    return first && at > first.at && done > first.done ? ((done - first.done) / (at - first.at)) * 1_000 : null;
  };
}
