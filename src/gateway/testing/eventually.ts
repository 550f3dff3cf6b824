import { setTimeout as wait } from "node:timers/promises";
import { inspect } from "node:util";

/** How long a test waits for what must become true, milliseconds: a busy machine may do nothing else for a while. */
export const patience = 120_000;

/** Asks until the answer is right. @throws when the patience is over, with the last answer */
export async function eventually<T>(ask: () => T | Promise<T>, right: (answer: T) => boolean): Promise<T> {
  const ends = performance.now() + patience;
  for (;;) {
    const answer = await ask();
    if (right(answer)) return answer;
    if (performance.now() > ends) throw new Error(`It never came to be. The last answer: ${inspect(answer)}`);
    await wait(20);
  }
}
