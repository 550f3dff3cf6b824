import * as z from "zod/mini";
import type { AnsweredStatus } from "./errors.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Who may call an endpoint.
 * - `management`: a management key, or a signed-in console session
 * - `ordinary`: an ordinary API key; a management key is refused with 403
 * - `any`: either kind of key, or a session
 * - `session`: a signed-in console session only
 * - `none`: public
 */
export type Credential = "management" | "ordinary" | "any" | "session" | "none";

/** A header that an operation reads in addition to the credential. */
export type RequestHeader =
  | "Idempotency-Key"
  | "If-Match"
  | "HTTP-Referer"
  | "X-Service-Title"
  | "X-Session-Id"
  | "X-OpenRouter-Cache"
  | "X-OpenRouter-Cache-TTL"
  | "X-OpenRouter-Cache-Clear"
  | "anthropic-version"
  | "anthropic-beta";

/** A header of an answer. */
type AnswerHeader =
  | "ETag"
  | "X-Generation-Id"
  | "X-Vector-Space"
  | "X-Token-Count"
  | "request-id"
  | (typeof cachedAnswerHeaders)[number];

/** What the calls read that the response cache may answer, and what their answers say of it. */
export const responseCacheHeaders = [
  "X-OpenRouter-Cache",
  "X-OpenRouter-Cache-TTL",
  "X-OpenRouter-Cache-Clear",
] as const satisfies readonly RequestHeader[];
export const cachedAnswerHeaders = [
  "X-OpenRouter-Cache-Status",
  "X-OpenRouter-Cache-Age",
  "X-OpenRouter-Cache-TTL",
  "X-OpenRouter-Cache-Source-Id",
] as const;

/** The form of an operation's errors: the public API's, that of Anthropic's messages, or OAuth's (RFC 6749). */
export type ErrorForm = "public" | "messages" | "oauth";

/** What every model call reads: the program that makes it, and the session that it belongs to. */
export const modelCallHeaders = [
  "HTTP-Referer",
  "X-Service-Title",
  "X-Session-Id",
] as const satisfies readonly RequestHeader[];

type Schema = z.core.$ZodType;
/** Links and caches add query parameters of their own, so public endpoints ignore unknown ones. */
const anything = z.object({});
const nothing = z.strictObject({});
type Nothing = typeof nothing;

/** One HTTP operation as data. The routes, the console's calls and the OpenAPI document are all generated from it. */
export interface Endpoint<
  Params extends Schema = Schema,
  Query extends Schema = Schema,
  Body extends Schema | null = Schema | null,
  Returns extends Schema = Schema,
> {
  /** verb + noun, the same as the constant's name: the query key, and the name used throughout our code */
  readonly name: string;
  /** what the public API calls it: in the OpenAPI document, the reference, the audit log and the access log */
  readonly operationId: string;
  readonly method: Method;
  /** relative to the base path, parameters in braces: `/keys/{hash}` */
  readonly path: `/${string}`;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly auth: Credential;
  /** programs in pages of every origin may call it, whatever the gateway's settings say; only for what needs no credential */
  readonly anyOrigin: boolean;
  readonly params: Params;
  readonly query: Query;
  /** null where the operation takes no body */
  readonly body: Body;
  /** the same request as `multipart/form-data`; null: JSON alone is taken */
  readonly form: Schema | null;
  /** the body is `application/x-www-form-urlencoded` in place of JSON; each of its members is a text */
  readonly urlencoded: boolean;
  /** bytes; a larger body is refused with 413 before it is read */
  readonly bodyLimit: number;
  /** the success status */
  readonly status: 200 | 201 | 202;
  readonly returns: Returns;
  /** the media types of an answer that is bytes; empty: it is JSON of the form of `returns` */
  readonly binary: readonly string[];
  /** the data of one event, where the answer may also be `text/event-stream`; null: it is never streamed */
  readonly streams: Schema | null;
  readonly headers: readonly RequestHeader[];
  readonly answerHeaders: readonly AnswerHeader[];
  readonly errorForm: ErrorForm;
  readonly errors: readonly AnsweredStatus[];
}

interface Declaration<N extends string, P extends Schema, Q extends Schema, B extends Schema | null, R extends Schema> {
  name: N;
  operationId?: string;
  method: Method;
  path: `/${string}`;
  tag: string;
  summary: string;
  description?: string;
  auth: Credential;
  anyOrigin?: boolean;
  params?: P;
  query?: Q;
  body?: B;
  form?: Schema;
  urlencoded?: boolean;
  bodyLimit?: number;
  status?: 200 | 201 | 202;
  returns: R;
  binary?: readonly string[];
  streams?: Schema;
  headers?: Endpoint["headers"];
  answerHeaders?: Endpoint["answerHeaders"];
  errorForm?: ErrorForm;
  errors: readonly AnsweredStatus[];
}

export const kilobytes = (count: number) => count * 1_024;
export const megabytes = (count: number) => count * 1_048_576;

/**
 * Declares an operation. Defaults: none (`params`, `query`, `body`), 200 (`status`), 64 kB (`bodyLimit`), and the same
 * as `name` (`operationId`).
 */
export function endpoint<
  N extends string,
  R extends Schema,
  P extends Schema = Nothing,
  Q extends Schema = Nothing,
  B extends Schema | null = null,
>(declaration: Declaration<N, P, Q, B, R>): Endpoint<P, Q, B, R> & { readonly name: N } {
  return {
    operationId: declaration.name,
    description: "",
    anyOrigin: false,
    status: 200,
    bodyLimit: kilobytes(64),
    form: null,
    urlencoded: false,
    binary: [],
    streams: null,
    headers: [],
    answerHeaders: [],
    errorForm: "public",
    ...declaration,
    params: declaration.params ?? (nothing as unknown as P),
    query: declaration.query ?? ((declaration.auth === "none" ? anything : nothing) as unknown as Q),
    body: declaration.body ?? (null as B),
  };
}

type Parts<E extends Endpoint, Mode extends "input" | "output"> = {
  params: Mode extends "input" ? z.input<E["params"]> : z.output<E["params"]>;
  query: Mode extends "input" ? z.input<E["query"]> : z.output<E["query"]>;
  body: E["body"] extends Schema ? (Mode extends "input" ? z.input<E["body"]> : z.output<E["body"]>) : undefined;
};

/** What a caller may pass, before parsing. Parts with no required members are optional. */
export type Input<E extends Endpoint> = Optional<Parts<E, "input">>;

/** What a handler gets, after parsing. */
export type Parsed<E extends Endpoint> = Parts<E, "output">;

/** What the operation returns. */
export type Output<E extends Endpoint> = z.output<E["returns"]>;

type Optional<T> = { [K in keyof T as Empty<T[K]> extends true ? never : K]: T[K] } & {
  [K in keyof T as Empty<T[K]> extends true ? K : never]?: T[K];
};
// oxlint-disable-next-line typescript/no-generated-empty-object-type -- the empty object is the question
type Empty<T> = undefined extends T ? true : Record<never, never> extends T ? true : false;
