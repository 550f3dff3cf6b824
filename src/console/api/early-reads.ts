declare global {
  interface Window {
    /** the answers that public/start.js asked for before this code was there, by their path below the API's */
    gatehouseEarlyReads?: Map<string, Promise<Response>>;
  }
}

/** Nothing that is taken later than this was asked for by the page that is shown. */
const takenWithinMs = 10_000;

const early = globalThis.window?.gatehouseEarlyReads;
if (early !== undefined) setTimeout(dropEarlyReads, takenWithinMs);

/** The answer to a read that was asked for before the console's code was there. Each is taken once. */
export function takeEarlyRead(path: string): Promise<Response> | undefined {
  const answer = early?.get(path);
  early?.delete(path);
  return answer;
}

/** They were read with a session that has ended. */
export function dropEarlyReads(): void {
  early?.clear();
}
