import { useCountdown } from "./clock.ts";
import { explain, secondsToWait, type Explanation } from "./error-messages.ts";

/** The message for a failed call; a wait that the gateway asked for counts down in it. */
export function useExplanation(error: unknown): Explanation {
  const wait = secondsToWait(error);
  const left = useCountdown(wait ?? 0, error);
  return explain(error, wait === undefined ? undefined : left);
}
