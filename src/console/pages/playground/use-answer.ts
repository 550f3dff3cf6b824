import { useEffect, useRef, useState } from "react";
import type { CallName, Calls } from "./protocol.ts";
import type { VectorWorker } from "./vector-worker.ts";

export interface Answered<T> {
  data: T | undefined;
  error: string | undefined;
  pending: boolean;
}

const unanswered = { data: undefined, error: undefined, pending: true };

/** The runs that a question is about: an answer about others says nothing of these. */
function runsOf(input: unknown): string {
  const { run, looks } = (input ?? {}) as { run?: number; looks?: { run: number }[] };
  return JSON.stringify(run ?? looks?.map((look) => look.run) ?? null);
}

/**
 * What the worker answers, asked again whenever the input changes; the last answer about the same runs stays until the
 * next is there. One question is under way at a time: of those that come meanwhile (a slider that is dragged) the last
 * is asked.
 * @param input null asks nothing
 */
export function useAnswer<K extends CallName>(
  worker: VectorWorker,
  name: K,
  input: Calls[K][0] | null,
  version: unknown = null,
): Answered<Calls[K][1]> {
  const [state, setState] = useState<Answered<Calls[K][1]> & { of: string }>({ ...unanswered, of: "" });
  const before = useRef<Promise<unknown>>(Promise.resolve());
  const key = JSON.stringify(input);
  const of = runsOf(input);
  useEffect(() => {
    if (key === "null") return undefined;
    let left = false;
    setState((last) => ({ ...last, pending: true }));
    before.current = before.current.then(async () => {
      if (left) return;
      try {
        const data = await worker.ask(name, JSON.parse(key) as Calls[K][0]);
        if (!left) setState({ data, error: undefined, pending: false, of });
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        if (!left) setState({ data: undefined, error: message, pending: false, of });
      }
    });
    return () => {
      left = true;
    };
  }, [worker, name, key, of, version]);
  return state.of === of ? state : unanswered;
}
