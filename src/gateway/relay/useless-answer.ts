import type { IncomingHttpHeaders } from "node:http";
import { objectOf } from "../providers/answer.ts";
import { errorIn } from "../providers/failure.ts";
import {
  type AnswerBody,
  BadAnswer,
  type ChatDialect,
  type HttpAdapter,
  type Upstream,
  type UpstreamFailure,
  type Usage,
} from "../providers/provider.ts";

/** An unusable answer, and how to read it. */
export interface UselessAnswer {
  readonly adapter: HttpAdapter;
  readonly dialect: Pick<ChatDialect, "readUsage">;
  readonly upstream: Upstream;
  readonly headers: IncomingHttpHeaders;
  readonly body: AnswerBody;
}

/** The vendor's usage for it; null: it reports none. */
export function countIn({ dialect, body }: Pick<UselessAnswer, "dialect" | "body">): Usage | null {
  const usage = unlessBad(() => dialect.readUsage(body));
  return usage !== null && usage.promptTokens + usage.completionTokens > 0 ? usage : null;
}

/** The error that it reports despite its status 200; null: none. */
export function refusalIn({
  adapter,
  upstream,
  headers,
  body,
}: Omit<UselessAnswer, "dialect">): UpstreamFailure | null {
  if (typeof body !== "string") return null;
  const error = unlessBad(() => errorIn(objectOf(body)));
  return error && adapter.readFailure(upstream, { status: 200, headers, body });
}

/** What is read; null: that throws BadAnswer. */
export function unlessBad<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof BadAnswer) return null;
    throw error;
  }
}
