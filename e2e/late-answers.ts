import type { BrowserContext } from "@playwright/test";

/** `LATE=1500 npx playwright test …` looks for what depends on speed: answers come up to so many milliseconds late. */
const most = Number(process.env["LATE"] ?? 0);

/** Lets what its pages fetch, and what their workers answer, come late by a random time; does nothing without `LATE`. */
export async function answerLate(context: BrowserContext): Promise<void> {
  if (most > 0) await context.addInitScript(delayAnswers, most);
}

/** Runs in the page before its own scripts. A worker's messages stay in order. */
function delayAnswers(longest: number): void {
  const { setTimeout: later, fetch: fetchNow, Worker: Native } = window;
  const delay = () => new Promise((resolve) => later(resolve, Math.random() * longest));
  window.fetch = async (input, init) => {
    const response = await fetchNow(input, init);
    await delay();
    init?.signal?.throwIfAborted();
    return response;
  };
  window.Worker = class extends Native {
    constructor(...args: ConstructorParameters<typeof Worker>) {
      super(...args);
      const delayed = new WeakSet<Event>();
      let before = Promise.resolve();
      this.addEventListener("message", (event) => {
        if (delayed.has(event)) return;
        event.stopImmediatePropagation();
        const again = new MessageEvent("message", { data: event.data as unknown, ports: [...event.ports] });
        delayed.add(again);
        before = before.then(delay).then(() => void this.dispatchEvent(again));
      });
    }
  };
}
