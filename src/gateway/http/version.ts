import type { FastifyReply, FastifyRequest } from "fastify";
import { invalid } from "../domain/refusal.ts";

/** Sends an answer's version, which `If-Match` is compared with, as its ETag. */
export function tagged<Answer extends object>(
  reply: FastifyReply,
  { version, ...answer }: Answer & { version: string | number },
): Omit<Answer, "version"> {
  reply.header("etag", `"${version}"`);
  return answer;
}

/** RFC 9110, section 8.8.3, in a list as section 5.6.1 has it: empty elements count for nothing. */
const entityTag = '(?:W/)?"[\\x21\\x23-\\x7e\\x80-\\xff]*"';
const entityTags = new RegExp(`^[ \\t,]*${entityTag}[ \\t]*(?:,[ \\t]*(?:${entityTag}[ \\t]*)?)*$`);

/**
 * The versions that the caller accepts; null for any, where it sent none or `*`. A proxy that compresses makes a tag a
 * weak one. A tag that is none of ours matches nothing.
 */
export function readIfMatch({ headers }: FastifyRequest): readonly string[] | null {
  const header = headers["if-match"]?.trim();
  if (header === undefined || header === "*") return null;
  if (!entityTags.test(header)) {
    throw invalid("", 'The If-Match header must be * or the ETags of earlier answers, such as "3"');
  }
  return [...header.matchAll(/"([^"]*)"/g)].map((match) => match[1] ?? "");
}
