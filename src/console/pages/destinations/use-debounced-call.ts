import { useEffect, useState } from "react";
import type { Endpoint, Input, Output } from "#contract/endpoint.ts";
import { call } from "../../api/call.ts";
import { useDebounced } from "../../form/use-debounced.ts";

export interface DebouncedCall<T> {
  /** the last answer; it stays while the next one is awaited, and goes where there is nothing to ask */
  data: T | undefined;
  /** the answer is about an earlier input: the next one is awaited, or failed */
  isStale: boolean;
  error: unknown;
  pending: boolean;
  again: () => void;
}

interface Answered<T> extends Pick<DebouncedCall<T>, "data" | "error" | "pending"> {
  /** the input that the answer is about, as JSON */
  of: string;
}

const restMs = 400;
const nothing = { data: undefined, error: null, pending: false };

/**
 * Asks again whenever the input has changed and settled: for what the gateway says about settings that are still being
 * edited. They may hold secrets, so unlike a query nothing of them is kept in a cache.
 * @param input null while there is nothing to ask
 */
export function useDebouncedCall<E extends Endpoint>(endpoint: E, input: Input<E> | null): DebouncedCall<Output<E>> {
  const [state, setState] = useState<Answered<Output<E>>>({ ...nothing, of: "" });
  const [round, setRound] = useState(0);
  const wanted = input === null ? "" : JSON.stringify(input);
  const text = useDebounced(wanted, restMs);
  useEffect(() => {
    if (text === "") return undefined;
    const abort = new AbortController();
    setState((before) => ({ ...before, pending: true }));
    call(endpoint, JSON.parse(text) as Input<E>, { signal: abort.signal }).then(
      (data) => setState({ data, of: text, error: null, pending: false }),
      (error: unknown) => {
        if (!abort.signal.aborted) setState((before) => ({ ...before, error, pending: false }));
      },
    );
    return () => abort.abort();
  }, [endpoint, text, round]);
  const { of, ...answered } = input === null ? { ...nothing, of: "" } : state;
  return {
    ...answered,
    isStale: answered.data !== undefined && of !== wanted,
    again: () => setRound((before) => before + 1),
  };
}
