import type { Dispatcher } from "undici";
import type { SinkAnswer, SinkRequest } from "../exporters/format.ts";
import { readBody, readBreak } from "../providers/call.ts";

export type Sent =
  | { readonly answer: SinkAnswer }
  /** no answer came; `code` says why, where it is known */
  | { readonly failed: string; readonly code: string | null };

/** Sends one request through the guarded way out and reads its answer. Never throws, except when it is aborted. */
export type Send = (request: SinkRequest, signal: AbortSignal) => Promise<Sent>;

const headersTimeoutMs = 30_000;
const bodyTimeoutMs = 15_000;
const mostAnswer = 65_536;

/** @param answerMs how long an answer may take from its status to its end */
export function createSend(dispatcher: Dispatcher, answerMs = 10_000): Send {
  return async (request, signal) => {
    try {
      const { origin, pathname, search, host } = new URL(request.url);
      const {
        statusCode: status,
        headers,
        body: stream,
      } = await dispatcher.request({
        origin,
        path: pathname + search,
        method: request.method,
        headers: request.headers,
        body: request.bytes ?? request.body,
        signal,
        headersTimeout: headersTimeoutMs,
        bodyTimeout: bodyTimeoutMs,
      });
      const answer = { status, headers, body: stream };
      // The status decides; whoever dribbles what follows it is not waited for.
      const patience = setTimeout(() => stream.destroy(), answerMs);
      const body = await readBody(answer, mostAnswer, signal).catch((error: unknown) => {
        // The status is there, and it decides; what a sink adds to it does not.
        signal.throwIfAborted();
        return Buffer.from(`(${readBreak(error, host).message})`);
      });
      clearTimeout(patience);
      return { answer: { status: answer.status, headers: answer.headers, body: body.toString("utf8") } };
    } catch (error) {
      signal.throwIfAborted();
      const { message, code } = readBreak(error, hostOf(request.url));
      return { failed: message, code };
    }
  };
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "the destination";
}
