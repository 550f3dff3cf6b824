import { useEffect, useState } from "react";
import { filterOptions, type ComboOption, type LoadOptions } from "./listbox.ts";

const debounceMs = 120;

export interface Options {
  options: readonly ComboOption[];
  state: "ready" | "loading" | "failed";
}

interface Answer {
  query: string;
  options: readonly ComboOption[];
  failed: boolean;
}

/** The options for a query: those given, filtered at once, or those asked for 120 ms after the last key. */
export function useOptions(
  given: readonly ComboOption[] | undefined,
  load: LoadOptions | undefined,
  query: string,
  open: boolean,
): Options {
  const [answer, setAnswer] = useState<Answer | null>(null);
  useEffect(() => {
    if (!load || !open) return;
    const abort = new AbortController();
    const timer = window.setTimeout(() => {
      load(query, abort.signal).then(
        (options) => {
          if (!abort.signal.aborted) setAnswer({ query, options, failed: false });
        },
        () => {
          if (!abort.signal.aborted) setAnswer({ query, options: [], failed: true });
        },
      );
    }, debounceMs);
    return () => {
      window.clearTimeout(timer);
      abort.abort();
    };
  }, [load, query, open]);
  if (!load) return { options: filterOptions(given ?? [], query), state: "ready" };
  const state = answer?.query !== query ? "loading" : answer.failed ? "failed" : "ready";
  return { options: answer?.options ?? [], state };
}
