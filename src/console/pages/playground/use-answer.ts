import { useEffect, useState } from "react";
import type { CallName, Calls } from "./protocol.ts";
import type { VectorWorker } from "./vector-worker.ts";

export interface Answered<T> {
  data: T | undefined;
  error: string | undefined;
  pending: boolean;
}

/**
 * What the worker answers, asked again whenever the input changes; the last answer stays until the next is there.
 * @param input null asks nothing
 */
export function useAnswer<K extends CallName>(
  worker: VectorWorker,
  name: K,
  input: Calls[K][0] | null,
  version: unknown = null,
): Answered<Calls[K][1]> {
  const [state, setState] = useState<Answered<Calls[K][1]>>({ data: undefined, error: undefined, pending: true });
  const key = JSON.stringify(input);
  useEffect(() => {
    if (key === "null") return undefined;
    let left = false;
    setState((before) => ({ ...before, pending: true }));
    worker.ask(name, JSON.parse(key) as Calls[K][0]).then(
      (data) => {
        if (!left) setState({ data, error: undefined, pending: false });
      },
      (error: Error) => {
        if (!left) setState({ data: undefined, error: error.message, pending: false });
      },
    );
    return () => {
      left = true;
    };
  }, [worker, name, key, version]);
  return state;
}
