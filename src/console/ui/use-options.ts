import { useEffect, useState } from "react";
import { filterOptions, type ComboOption, type LoadOptions } from "./listbox.ts";

const debounceMs = 120;

export interface Options {
  options: readonly ComboOption[];
  state: "ready" | "loading" | "failed";
}

/** The options for a query: those given, filtered at once, or those asked for 120 ms after the last key. */
export function useOptions(
  given: readonly ComboOption[] | undefined,
  load: LoadOptions | undefined,
  query: string,
  open: boolean,
): Options {
  const [loaded, setLoaded] = useState<Options>({ options: [], state: "loading" });
  useEffect(() => {
    if (!load || !open) return;
    const abort = new AbortController();
    setLoaded((before) => ({ ...before, state: "loading" }));
    const timer = window.setTimeout(() => {
      load(query, abort.signal).then(
        (options) => {
          if (!abort.signal.aborted) setLoaded({ options, state: "ready" });
        },
        () => {
          if (!abort.signal.aborted) setLoaded({ options: [], state: "failed" });
        },
      );
    }, debounceMs);
    return () => {
      window.clearTimeout(timer);
      abort.abort();
    };
  }, [load, query, open]);
  return load ? loaded : { options: filterOptions(given ?? [], query), state: "ready" };
}
