import { useEffect, useRef, useState } from "react";
import type { CallName, Calls } from "../../vectors/protocol.ts";
import type { VectorWorker } from "../../vectors/vector-worker.ts";

export interface Answered<T> {
  data: T | undefined;
  error: string | undefined;
  /** nothing has come yet, or what is there answers an earlier question */
  pending: boolean;
}

interface LastAnswer<T> {
  data?: T;
  error?: string;
  /** the question that is answered, and the runs it was about */
  key: string;
  of: string;
}

/** The runs that a question is about: an answer about others says nothing of these. */
function runsOf(input: unknown): string {
  const { run, slices } = (input ?? {}) as { run?: number; slices?: { run: number }[] };
  return JSON.stringify(run ?? slices?.map((slice) => slice.run) ?? null);
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
  const [last, setLast] = useState<LastAnswer<Calls[K][1]>>({ key: "", of: "" });
  const before = useRef<Promise<unknown>>(Promise.resolve());
  const key = JSON.stringify(input);
  const of = runsOf(input);
  useEffect(() => {
    if (key === "null") return undefined;
    let left = false;
    before.current = before.current.then(async () => {
      if (left) return;
      try {
        const data = await worker.ask(name, JSON.parse(key) as Calls[K][0]);
        if (!left) setLast({ data, key, of });
      } catch (error) {
        if (!left) setLast({ error: error instanceof Error ? error.message : String(error), key, of });
      }
    });
    return () => {
      left = true;
    };
  }, [worker, name, key, of, version]);
  const { data, error } = last.of === of ? last : {};
  return { data, error, pending: last.key !== key };
}
