import { useState } from "react";
import { useTimeout } from "./use-timeout.ts";

const slowAfterMs = 8_000;

/** Whether something has been waited for so long that it has to be said. */
export function useSlow(waiting: boolean): boolean {
  const [slow, setSlow] = useState(false);
  useTimeout(() => setSlow(true), waiting ? slowAfterMs : null);
  if (slow && !waiting) setSlow(false);
  return waiting && slow;
}
