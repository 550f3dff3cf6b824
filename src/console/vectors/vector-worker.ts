import workerUrl from "./worker.ts?worker&url"; // oxlint-disable-line import/default -- the address that Vite makes
import type { CallName, Calls, FromWorker, Points } from "./protocol.ts";
import type { Progress } from "./run-batch.ts";

/** The page's end of the worker. */
export interface VectorWorker {
  ask<K extends CallName>(name: K, input: Calls[K][0], options?: AskOptions): Promise<Calls[K][1]>;
  end(): void;
}

interface AskOptions {
  /** a layout tells its picture so far */
  onDrawing?: (points: Points, share: number) => void;
  /** a long work says how far it is, 0 to 1 */
  onShare?: ((share: number) => void) | undefined;
  /** cancels a long work: it is rejected then */
  signal?: AbortSignal;
}

interface Asked {
  resolve: (output: never) => void;
  reject: (error: Error) => void;
  options: AskOptions | undefined;
}

interface ScriptPolicy {
  createScriptURL(url: string): URL | string;
}

interface PolicyFactory {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): ScriptPolicy;
}

let policy: ScriptPolicy | undefined;

/** The one URL allowed as a script in addition to the page's own files; see the Content-Security-Policy. */
function workerAddress(): string | URL {
  const factory = (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes;
  const own = new URL(workerUrl, import.meta.url).href;
  if (!factory) return own;
  policy ??= factory.createPolicy("gatehouse-worker", {
    createScriptURL(url) {
      if (url !== own) throw new TypeError("Only the playground's own worker may be started.");
      return url;
    },
  });
  return policy.createScriptURL(own);
}

export function startVectorWorker(
  onProgress: (run: number, progress: Progress, dimensions: number | null, rate: number | null) => void,
): VectorWorker {
  const worker = new Worker(workerAddress(), { type: "module", name: "vectors" });
  const asked = new Map<number, Asked>();
  let last = 0;
  worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => {
    if (data.kind === "progress") return onProgress(data.run, data.progress, data.dimensions, data.rate);
    const waiting = asked.get(data.id);
    if (data.kind === "drawing") return waiting?.options?.onDrawing?.(data.points, data.share);
    if (data.kind === "share") return waiting?.options?.onShare?.(data.share);
    asked.delete(data.id);
    if (data.kind === "answer") waiting?.resolve(data.output as never);
    else waiting?.reject(new Error(data.message));
    return undefined;
  });
  return {
    ask(name, input, options) {
      last += 1;
      const id = last;
      return new Promise((resolve, reject) => {
        asked.set(id, { resolve, reject, options });
        worker.postMessage({ id, name, input });
        options?.signal?.addEventListener("abort", () => {
          if (asked.has(id)) worker.postMessage({ id: 0, name: "cancel", input: { id } });
        });
      });
    },
    end: () => worker.terminate(),
  };
}
