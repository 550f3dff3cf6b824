import type { Send } from "./run-batch.ts";

/** Sends a call that only a provider of that vector space may answer; null: any may. */
export type SendInSpace = (chunk: Parameters<Send>[0], signal: AbortSignal, space: string | null) => ReturnType<Send>;

/**
 * Keeps a run in one vector space: the first answer says which, and every further call requires it. Until then one call
 * is under way at a time. Queries and documents that are sent as such have a space each.
 */
export function pinSpaces(send: SendInSpace): Send {
  const spaces = new Map<string | null, string>();
  const first = new Map<string | null, Promise<unknown>>();
  return async (chunk, signal) => {
    const { inputType } = chunk;
    // whichever comes first goes first; of those that waited, the next one does where that was refused
    while (!spaces.has(inputType) && first.has(inputType)) await first.get(inputType);
    if (signal.aborted || spaces.has(inputType)) return await send(chunk, signal, spaces.get(inputType) ?? null);
    const answering = send(chunk, signal, null);
    const settled = answering.then(
      (answer) => {
        const [only, ...others] = "refused" in answer ? [] : answer.spaces;
        // a provider that names no space, or several in one answer, pins nothing: the next answer may
        if (only !== undefined && others.length === 0) spaces.set(inputType, only);
      },
      () => undefined,
    );
    first.set(
      inputType,
      settled.finally(() => first.delete(inputType)),
    );
    return await answering;
  };
}
