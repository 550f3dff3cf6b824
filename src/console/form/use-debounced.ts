import { useState } from "react";
import { useTimeout } from "../ui/use-timeout.ts";

/** The value once it has stayed the same for so long. */
export function useDebounced<T>(value: T, ms: number): T {
  const [debounced, setDebounced] = useState(value);
  useTimeout(() => setDebounced(value), ms, value);
  return debounced;
}
