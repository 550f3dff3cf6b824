import * as z from "zod/mini";
import type { ErrorStatus } from "./errors.ts";

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

type Schema = z.core.$ZodType;
const nothing = z.strictObject({});
type Nothing = typeof nothing;

/** One HTTP operation as data. The routes, the console's calls and the OpenAPI document are all made from it. */
export interface Endpoint<
  Params extends Schema = Schema,
  Query extends Schema = Schema,
  Body extends Schema | null = Schema | null,
  Returns extends Schema = Schema,
> {
  /** verb + noun; also the OpenAPI operationId, the query key, the log field and the audit action */
  readonly name: string;
  readonly method: Method;
  /** relative to the base path, parameters in braces: `/keys/{hash}` */
  readonly path: `/${string}`;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly auth: Credential;
  readonly params: Params;
  readonly query: Query;
  /** null where the operation takes no body */
  readonly body: Body;
  /** the success status */
  readonly status: 200 | 201;
  readonly returns: Returns;
  readonly errors: readonly ErrorStatus[];
}

interface Declaration<P extends Schema, Q extends Schema, B extends Schema | null, R extends Schema> {
  name: string;
  method: Method;
  path: `/${string}`;
  tag: string;
  summary: string;
  description?: string;
  auth: Credential;
  params?: P;
  query?: Q;
  body?: B;
  status?: 200 | 201;
  returns: R;
  errors: readonly ErrorStatus[];
}

/** Declares an operation; members that are left out mean "none" (`params`, `query`, `body`) or 200 (`status`). */
export function endpoint<
  R extends Schema,
  P extends Schema = Nothing,
  Q extends Schema = Nothing,
  B extends Schema | null = null,
>(declaration: Declaration<P, Q, B, R>): Endpoint<P, Q, B, R> {
  return {
    description: "",
    status: 200,
    ...declaration,
    params: declaration.params ?? (nothing as unknown as P),
    query: declaration.query ?? (nothing as unknown as Q),
    body: declaration.body ?? (null as B),
  };
}

type Parts<E extends Endpoint, Mode extends "input" | "output"> = {
  params: Mode extends "input" ? z.input<E["params"]> : z.output<E["params"]>;
  query: Mode extends "input" ? z.input<E["query"]> : z.output<E["query"]>;
  body: E["body"] extends Schema ? (Mode extends "input" ? z.input<E["body"]> : z.output<E["body"]>) : undefined;
};

/** What a caller may pass, before parsing. Parts that may be left out are optional. */
export type Input<E extends Endpoint> = Optional<Parts<E, "input">>;

/** What a handler gets, after parsing. */
export type Parsed<E extends Endpoint> = Parts<E, "output">;

/** What the operation answers with. */
export type Output<E extends Endpoint> = z.output<E["returns"]>;

type Optional<T> = { [K in keyof T as Empty<T[K]> extends true ? never : K]: T[K] } & {
  [K in keyof T as Empty<T[K]> extends true ? K : never]?: T[K];
};
type Empty<T> = undefined extends T ? true : Record<never, never> extends T ? true : false;
