import type { Run } from "./playground.ts";

/** Why a row of a run has no vector, in a sentence. */
export function missingReason({ progress: { failures, state } }: Pick<Run, "progress">, place: number): string {
  const refused = failures.find(([failed]) => failed === place)?.[1];
  if (refused) return `It has no vector: “${refused.message}”`;
  return state === "running" || state === "paused" ? "Its vector has not come yet." : "It has no vector.";
}
