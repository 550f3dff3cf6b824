import { useEffect, useState } from "react";
import type { Endpoint, Input, Output } from "#contract/endpoint.ts";
import { call } from "../../api/call.ts";
import { useDebounced } from "../../form/use-debounced.ts";

export interface DebouncedCall<T> {
  /** the last answer; it stays while the next one is awaited */
  data: T | undefined;
  error: unknown;
  pending: boolean;
  again: () => void;
}

const restMs = 400;

/**
 * Asks again whenever the input has changed and settled: for what the gateway says about settings that are still being
 * edited. They may hold secrets, so unlike a query nothing of them is kept in a cache.
 * @param input null while there is nothing to ask
 */
export function useDebouncedCall<E extends Endpoint>(endpoint: E, input: Input<E> | null): DebouncedCall<Output<E>> {
  const [state, setState] = useState<Omit<DebouncedCall<Output<E>>, "again">>({
    data: undefined,
    error: null,
    pending: false,
  });
  const [round, setRound] = useState(0);
  const text = useDebounced(input === null ? "" : JSON.stringify(input), restMs);
  useEffect(() => {
    if (text === "") return undefined;
    const abort = new AbortController();
    setState((before) => ({ ...before, pending: true }));
    call(endpoint, JSON.parse(text) as Input<E>, { signal: abort.signal }).then(
      (data) => setState({ data, error: null, pending: false }),
      (error: unknown) => {
        if (!abort.signal.aborted) setState((before) => ({ ...before, error, pending: false }));
      },
    );
    return () => abort.abort();
  }, [endpoint, text, round]);
  return { ...state, again: () => setRound((before) => before + 1) };
}
