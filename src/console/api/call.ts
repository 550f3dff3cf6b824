import type { Endpoint, Input, Output } from "#contract/endpoint.ts";
import { createSession, getSession } from "#contract/session.ts";
import { apiPath } from "./base.ts";
import { now } from "./clock.ts";
import { takeEarlyRead } from "./early-reads.ts";
import { foreignAnswer, isNotFound, NetworkError, readError } from "./errors.ts";
import { noteAnswer, noteNoAnswer } from "./connectivity.ts";
import { csrfToken, endSession, session, startSession } from "./session.ts";
import { createStore } from "./store.ts";

export interface CallOptions {
  signal?: AbortSignal | undefined;
  headers?: Record<string, string>;
}

/** How long to wait for the whole answer. */
const answerWithinMs = 30_000;

/** Any endpoint's input, untyped: the URL and the body are built from it. */
export interface LooseInput {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/** How many calls named what does not exist: what is shown around them may be out of date. */
export const missed = createStore(0);

/**
 * Makes one call of the API with the session's cookie.
 * Throws ApiError for a refusal, NetworkError where no answer came, and the signal's reason when it was aborted.
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  options?: CallOptions,
): Promise<Output<E>> {
  return (await callTagged(endpoint, input, options)).answer;
}

/** An answer and the version of what it shows, for `If-Match`. */
export interface Tagged<T> {
  answer: T;
  etag: string | null;
}

/** The header by which a change is made to that version only; none where the version is not known. */
export const ifMatch = (etag: string | null | undefined): Record<string, string> => (etag ? { "if-match": etag } : {});

/** The same call, with the answer's ETag. */
export async function callTagged<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  options: CallOptions = {},
): Promise<Tagged<Output<E>>> {
  const token = csrfToken();
  let response = await send(endpoint, input, options, token);
  const { status } = response;
  // another tab may have signed in again: its cookie is in use here too, but this tab still has the older token
  const isStale = status === 403 && endpoint.method !== "GET" && token !== undefined && (await renewToken()) !== token;
  // refused on its way while somebody signed in again: nothing was done, and the new session may do it
  const isLate = status === 401 && csrfToken() !== token && session.get().state === "signed-in";
  const sentWith = isStale || isLate ? csrfToken() : token;
  if (isStale || isLate) response = await send(endpoint, input, options, sentWith);
  if (response.ok) {
    const isOnce = new Headers(options.headers).has("idempotency-key");
    return { answer: (await body(response, options.signal, isOnce)) as Output<E>, etag: response.headers.get("etag") };
  }
  if (response.status === 401 && endpoint.name !== createSession.name) endSession(sentWith);
  const refusal = await readError(response, now());
  if (isNotFound(refusal) || refusal.issues.some(({ path }) => path === "workspace_id")) missed.set(missed.get() + 1);
  throw refusal;
}

/** The path and query of a call, with every part escaped. Members that are undefined are left out. */
export function callPath(endpoint: Pick<Endpoint, "path">, { params = {}, query = {} }: LooseInput): string {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? path : `${path}?${search}`;
}

async function send(
  endpoint: Endpoint,
  input: LooseInput,
  options: CallOptions,
  token: string | undefined,
): Promise<Response> {
  const headers = new Headers(options.headers);
  headers.set("accept", "application/json");
  if (input.body !== undefined) headers.set("content-type", "application/json");
  if (endpoint.method !== "GET" && token !== undefined) headers.set("x-csrf-token", token);
  const timeout = AbortSignal.timeout(answerWithinMs);
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
  const path = callPath(endpoint, input);
  const early = endpoint.method === "GET" ? takeEarlyRead(path) : undefined;
  try {
    const response = await (early === undefined
      ? fetch(apiPath(path), {
          method: endpoint.method,
          headers,
          credentials: "same-origin",
          cache: "no-store",
          body: input.body === undefined ? null : JSON.stringify(input.body),
          signal,
        })
      : unlessAborted(early, signal));
    noteAnswer();
    return response;
  } catch {
    throw unanswered(options.signal, timeout.aborted, headers.has("idempotency-key"));
  }
}

/** An answer that was asked for without this signal. */
async function unlessAborted(answer: Promise<Response>, signal: AbortSignal): Promise<Response> {
  signal.throwIfAborted();
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener("abort", stop);
  });
  try {
    return await Promise.race([answer, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

async function body(response: Response, signal: AbortSignal | undefined, isOnce: boolean): Promise<unknown> {
  try {
    return await response.json();
  } catch (error) {
    throw error instanceof SyntaxError ? foreignAnswer(response.status) : unanswered(signal, false, isOnce);
  }
}

function unanswered(signal: AbortSignal | undefined, timedOut: boolean, isOnce = false): unknown {
  if (signal?.aborted) return signal.reason;
  noteNoAnswer();
  return new NetworkError(timedOut ? "timeout" : "unreachable", isOnce);
}

async function renewToken(): Promise<string | undefined> {
  try {
    startSession((await call(getSession, {})).data);
  } catch {
    // the original refusal is the one to report
  }
  return csrfToken();
}
