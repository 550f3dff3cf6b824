import { useEffect, useRef, useState } from "react";
import type { CallName, Calls } from "../../vectors/protocol.ts";
import type { VectorWorker } from "../../vectors/vector-worker.ts";

export interface Answered<T> {
  data: T | undefined;
  error: string | undefined;
  /** nothing has come yet, or what is there answers an earlier question */
  pending: boolean;
  /** how far the work on it is, 0 to 1; null: nothing is known of it, as of all that is quick */
  share: number | null;
  /** a person ended the work before it was done */
  cancelled: boolean;
  cancel: () => void;
  /** asks again what was cancelled */
  again: () => void;
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
  const [work, setWork] = useState<{ key: string; share: number } | null>(null);
  const [cancelled, setCancelled] = useState<string | null>(null);
  const ending = useRef<AbortController | null>(null);
  const key = JSON.stringify(input);
  const of = runsOf(input);
  const isCancelled = cancelled === key;
  useEffect(() => {
    if (key === "null" || isCancelled) return undefined;
    let left = false;
    const own = new AbortController();
    ending.current = own;
    before.current = before.current.then(async () => {
      if (left) return;
      try {
        const data = await worker.ask(name, JSON.parse(key) as Calls[K][0], {
          onShare: (share) => !left && setWork({ key, share }),
          signal: own.signal,
        });
        if (!left) setLast({ data, key, of });
      } catch (error) {
        if (!left) setLast({ error: error instanceof Error ? error.message : String(error), key, of });
      }
      setWork(null);
    });
    return () => {
      left = true;
      // nothing waits for it any more, and the worker has one thing to do at a time
      own.abort();
    };
  }, [worker, name, key, of, version, isCancelled]);
  const { data, error } = last.of === of ? last : {};
  return {
    data,
    error,
    pending: last.key !== key,
    share: work?.key === key && !isCancelled ? work.share : null,
    cancelled: isCancelled && last.key !== key,
    cancel: () => setCancelled(key),
    again: () => setCancelled(null),
  };
}
