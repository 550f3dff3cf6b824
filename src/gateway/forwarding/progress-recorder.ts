import { setTimeout as sleep } from "node:timers/promises";
import type { CursorStore, Progress } from "../domain/destinations/cursor-store.ts";

const tryAgainMs = 500;

export interface ProgressRecorder {
  /**
   * Records it after what was given before: of two records of one destination, the older must not be the last.
   * @returns the destinations that this process still owns
   */
  record(progress: readonly Progress[]): Promise<ReadonlySet<string>>;
}

/**
 * Records progress. Counts and dead letters that were taken must not be lost, so the statement is repeated until it
 * succeeds.
 * @param note called with each failure
 */
export function createProgressRecorder(
  cursors: Pick<CursorStore, "save">,
  note: (error: unknown) => void,
  signal: AbortSignal,
): ProgressRecorder {
  let recording: Promise<unknown> = Promise.resolve();

  async function record(progress: readonly Progress[]): Promise<ReadonlySet<string>> {
    for (;;) {
      try {
        return new Set(
          await cursors.save(progress).catch(async (error: unknown) => {
            if (!isUnstorable(error)) throw error;
            note(error);
            return await cursors.save(progress.map(withoutText));
          }),
        );
      } catch (error) {
        if (signal.aborted) throw error;
        note(error);
        await sleep(tryAgainMs, undefined, { signal }).catch(() => {});
      }
    }
  }

  return {
    async record(progress) {
      const recorded = recording.then(() => (progress.length === 0 ? new Set<string>() : record(progress)));
      recording = recorded.catch(() => {});
      return await recorded;
    },
  };
}

/** The store took the statement and refused a value in it (SQLSTATE 22), such as a text with characters it cannot hold. */
function isUnstorable(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("22");
}

/** What is left when the store rejects a value, such as a destination's message. */
function withoutText(progress: Progress): Progress {
  const answer = { status: null, body: null, message: "the destination's answer could not be stored" };
  return { ...progress, last_error: null, errors: [], dead: progress.dead.map((letter) => ({ ...letter, answer })) };
}
