import { useEffect, useState } from "react";
import type { Endpoint, Input, Output } from "#contract/endpoint.ts";
import { call } from "../../api/call.ts";
import type { CallArguments } from "../../api/call.ts";
import { useRested } from "../../form/rested.ts";

export interface Asked<T> {
  /** the last answer; it stays while the next one is awaited */
  data: T | undefined;
  error: unknown;
  pending: boolean;
  again: () => void;
}

const restMs = 400;

/**
 * Asks anew whenever the input has changed and rested: for what the gateway says about settings that are still being
 * edited. They may hold secrets, so unlike a query nothing of them is kept in a cache.
 * @param input null while there is nothing to ask
 */
export function useAsked<E extends Endpoint>(endpoint: E, input: Input<E> | null): Asked<Output<E>> {
  const [state, setState] = useState<Omit<Asked<Output<E>>, "again">>({ data: undefined, error: null, pending: false });
  const [round, setRound] = useState(0);
  const text = useRested(input === null ? "" : JSON.stringify(input), restMs);
  useEffect(() => {
    if (text === "") return undefined;
    const abort = new AbortController();
    setState((before) => ({ ...before, pending: true }));
    call(endpoint, ...([JSON.parse(text), { signal: abort.signal }] as unknown as CallArguments<E>)).then(
      (data) => setState({ data, error: null, pending: false }),
      (error: unknown) => {
        if (!abort.signal.aborted) setState((before) => ({ ...before, error, pending: false }));
      },
    );
    return () => abort.abort();
  }, [endpoint, text, round]);
  return { ...state, again: () => setRound((before) => before + 1) };
}
