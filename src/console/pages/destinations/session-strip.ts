import type { SampledSession } from "#contract/forwarding.ts";
import { keepsPosition } from "#contract/sampling.ts";
import { percentText } from "./sampling.ts";

type Sessions = readonly Pick<SampledSession, "calls" | "position">[];

/** The lowest rate that a destination may have: what it keeps, every rate keeps. */
const lowestRate = 0.0001;

/**
 * How high a rate stands, from 0 (100%) to 1 (0.01%), and how high the bar of a session at that position is: a bar that
 * reaches the line of a rate is kept at it. Ten times rarer is a step up; the steps grow smaller, so that the rates of
 * most use, 100% to 1%, have most of the room.
 */
export function heightOf(rate: number): number {
  const decades = -Math.log10(Math.min(1, Math.max(lowestRate, rate)));
  return (decades / 4) ** 0.6;
}

/** The bars that a rate keeps, or those that it does not, as a path over a box of one unit for each session and height 1. */
export function barsOf(sessions: Sessions, which: (session: Sessions[number]) => boolean): string {
  let path = "";
  // a session that only 100% keeps is there too
  const least = 0.05;
  for (const [at, session] of sessions.entries())
    if (which(session)) path += `M${at + 0.5} 1V${(1 - Math.max(least, heightOf(session.position))).toFixed(3)}`;
  return path;
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
