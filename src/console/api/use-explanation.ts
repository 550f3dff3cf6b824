import { useEffect, useState } from "react";
import { explain, secondsToWait, type Explanation } from "./error-messages.ts";

/** The message for a failed call; a wait that the gateway asked for counts down in it. */
export function useExplanation(error: unknown): Explanation {
  const wait = secondsToWait(error);
  const [waited, setWaited] = useState({ of: error, seconds: 0 });
  useEffect(() => {
    if (wait === undefined) return undefined;
    const began = performance.now();
    const timer = setInterval(() => {
      const seconds = Math.round((performance.now() - began) / 1_000);
      setWaited({ of: error, seconds });
      if (seconds >= wait) clearInterval(timer);
    }, 1_000);
    return () => clearInterval(timer);
  }, [error, wait]);
  return explain(error, waited.of === error ? waited.seconds : 0);
}
