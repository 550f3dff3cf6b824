import { playgroundHeader, playgroundKeyHeader } from "#contract/embeddings.ts";
import { getGeneration } from "#contract/generations.ts";
import { apiPath } from "../../api/base.ts";
import { call } from "../../api/call.ts";
import { noteAnswer, noteNoAnswer } from "../../api/connectivity.ts";
import { csrfToken, endSession } from "../../api/session.ts";
import { chatForms } from "../../shell/snippets.ts";
import { type Answer, type AnswerError, errorIn, grow, isUnderWay, noAnswer } from "./answer.ts";
import { eventReader } from "./events.ts";

export interface Asked {
  workspaceId: string;
  /** the hash of the key that is called as; undefined: the playground's own */
  keyHash: string | undefined;
  body: Record<string, unknown>;
}

const lost = (message: string): AnswerError => ({ status: 0, message, reason: null, provider: null, requestId: null });

/**
 * Asks for an answer and hands on what there is of it as it comes. Resolves with the last state; never rejects.
 * @param signal aborted: the person stopped it, and what came stays
 */
export async function streamAnswer(asked: Asked, signal: AbortSignal, on: (answer: Answer) => void): Promise<Answer> {
  let answer = noAnswer;
  const is = (next: Answer) => on((answer = next));
  try {
    const response = await ask(asked, signal);
    noteAnswer();
    const head = { ...answer, call: response.headers.get("x-generation-id") };
    if (!response.ok) return { ...head, state: "failed", error: await refusalOf(response) };
    is(head);
    await readStream(response, (data) => is(grow(answer, data)));
  } catch {
    if (!signal.aborted) noteNoAnswer();
  }
  if (!isUnderWay(answer)) return answer;
  if (signal.aborted) return { ...answer, state: "stopped" };
  const isBegun = answer.call !== null;
  return isBegun
    ? { ...answer, state: "lost", error: lost("The stream ended before the answer did.") }
    : { ...answer, state: "failed", error: lost("The gateway could not be reached.") };
}

async function ask({ workspaceId, keyHash, body }: Asked, signal: AbortSignal): Promise<Response> {
  const token = csrfToken();
  const response = await fetch(apiPath(chatForms.chat.path), {
    method: "POST",
    headers: {
      accept: "text/event-stream",
      "content-type": "application/json",
      "x-csrf-token": token ?? "",
      [playgroundHeader]: workspaceId,
      ...(keyHash !== undefined && { [playgroundKeyHeader]: keyHash }),
    },
    credentials: "same-origin",
    cache: "no-store",
    body: JSON.stringify({ ...body, stream: true }),
    signal,
  });
  if (response.status === 401) endSession(token);
  return response;
}

async function refusalOf(response: Response): Promise<AnswerError> {
  const json = (await response.json().catch(() => null)) as { error?: Record<string, unknown> } | null;
  const { error } = json ?? {};
  const foreign = `The answer did not come from the gateway (HTTP ${response.status}); a proxy may be in between.`;
  return {
    ...errorIn(error ?? { message: foreign }),
    status: response.status,
    requestId: response.headers.get("x-request-id"),
  };
}

async function readStream(response: Response, on: (data: string) => void): Promise<void> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const events = eventReader();
  for (;;) {
    const next = await reader?.read();
    if (!next || next.done) return;
    for (const data of events(next.value)) on(data);
  }
}

/** The waits before the ledger is asked: a call that was left is settled a moment later. */
const askedAfterMs = [300, 1_000, 3_000];

/** What a call came to whose stream did not say; null: the ledger does not say either. */
export async function settledCost(id: string): Promise<number | null> {
  for (const wait of askedAfterMs) {
    await new Promise((done) => setTimeout(done, wait));
    try {
      return (await call(getGeneration, { query: { id } })).data.total_cost;
    } catch {
      // not there yet: asked again
    }
  }
  return null;
}
