import type { Dispatcher } from "undici";
import { headerSafe, headerUnsafe } from "#contract/header-text.ts";
import type { SinkAnswer, SinkRequest } from "../exporters/format.ts";
import { readBody, readBreak } from "../providers/call.ts";
import { connectionMessage } from "../connection-message.ts";

export type Sent =
  | { readonly answer: SinkAnswer }
  /** no answer came: what that means, the original message, and its code if there is one */
  | { readonly failed: string; readonly raw: string; readonly code: string | null };

/** Sends one request through the guarded dispatcher and reads its answer. Never throws, except when aborted. */
export type Send = (request: SinkRequest, signal: AbortSignal) => Promise<Sent>;

const headersTimeoutMs = 30_000;
const bodyTimeoutMs = 15_000;
const mostAnswer = 65_536;

/** @param answerMs how long an answer may take from its status to its end */
export function createSend(dispatcher: Dispatcher, answerMs = 10_000): Send {
  return async (request, signal) => {
    // Of settings that were saved before they were checked for it.
    const unsafe = Object.entries(request.headers).find(([, value]) => !headerSafe.test(value))?.[0];
    if (unsafe !== undefined) {
      const failed = `What is set for the header ${unsafe} ${headerUnsafe}. Change it in the destination's settings`;
      return { failed, raw: failed, code: null };
    }
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
      const answer = { status, headers, body: stream, host };
      // The status decides; the rest of a slow answer is not waited for.
      const patience = setTimeout(() => stream.destroy(), answerMs);
      const body = await readBody(answer, mostAnswer, signal).catch((error: unknown) => {
        // The status has arrived, and it decides; the rest of the answer does not.
        signal.throwIfAborted();
        return Buffer.from(`(${readBreak(error, host, true).message})`);
      });
      clearTimeout(patience);
      return { answer: { status: answer.status, headers: answer.headers, body: body.toString("utf8") } };
    } catch (error) {
      signal.throwIfAborted();
      const { message, code } = readBreak(error, hostOf(request.url));
      const failed = connectionMessage(code, hostOf(request.url)) ?? message;
      return { failed, raw: code === null || message.includes(code) ? message : `${message} (${code})`, code };
    }
  };
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "the destination";
}
