import type { SampledSession } from "#contract/forwarding.ts";
import { keepsPosition } from "#contract/sampling.ts";
import { percentText, placeOfRate } from "./sampling.ts";

type Sessions = readonly Pick<SampledSession, "calls" | "position">[];

/** How high the bar of a session is, from 0 to 1: the more calls, the higher, by ratio. */
function heightOf(calls: number, most: number): number {
  const [least, fewest] = [0.3, 8];
  return least + (1 - least) * (Math.log(Math.max(1, calls)) / Math.log(Math.max(fewest, most)));
}

/**
 * The bars of the sessions that a rate keeps, or of those that it does not, as a path over the slider's stops and height
 * 1. Each lies where its session is on the slider's scale: a rate keeps those to its left.
 */
export function barsOf(sessions: Sessions, which: (session: Sessions[number]) => boolean): string {
  const most = Math.max(...sessions.map(({ calls }) => calls));
  return sessions
    .filter(which)
    .map(({ position, calls }) => `M${placeOfRate(position).toFixed(3)} 1V${(1 - heightOf(calls, most)).toFixed(3)}`)
    .join("");
}

/** "38 of 240 sessions, 112 of 900 calls are kept at 15%." */
export function keptText(sessions: Sessions, rate: number): string {
  const kept = sessions.filter(({ position }) => keepsPosition(position, rate));
  const calls = (of: Sessions) => of.reduce((sum, one) => sum + one.calls, 0);
  const [keptCalls, allCalls] = [calls(kept), calls(sessions)];
  return `${share(kept.length, sessions.length, "session")}, ${share(keptCalls, allCalls, "call")} ${keptCalls === 1 ? "is" : "are"} kept at ${percentText(rate)}%.`;
}

function share(some: number, all: number, noun: string): string {
  return `${some.toLocaleString("en-US")} of ${all.toLocaleString("en-US")} ${noun}${all === 1 ? "" : "s"}`;
}
