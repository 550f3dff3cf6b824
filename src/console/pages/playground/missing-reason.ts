import type { Run } from "./playground.ts";
import { rowMessage } from "./refusal-messages.ts";

/** Why a row of a run has no vector, in a sentence. */
export function missingReason(run: Pick<Run, "progress" | "mode" | "shown">, place: number): string {
  const { failures, state } = run.progress;
  const refused = failures.find(([failed]) => failed === place)?.[1];
  if (refused) return `It has no vector: “${rowMessage(run, place, refused.message)}”`;
  return state === "running" || state === "paused" ? "Its vector has not come yet." : "It has no vector.";
}
