import type { FastifyReply, FastifyRequest } from "fastify";
import { invalid } from "../domain/refusal.ts";

/** A record and the version that `If-Match` is compared with, which travels as its ETag. */
interface Versioned<Data> {
  data: Data;
  version: string | number;
}

export function tagged<Data>(reply: FastifyReply, { data, version }: Versioned<Data>): { data: Data } {
  reply.header("etag", `"${version}"`);
  return { data };
}

/** The version that the caller saw; null when it sent none or `*`. A proxy that compresses makes a tag a weak one. */
export function readIfMatch({ headers }: FastifyRequest): string | null {
  const header = headers["if-match"]?.trim();
  if (header === undefined || header === "*") return null;
  const version = /^(?:W\/)?"([0-9a-f]{1,16})"$/.exec(header)?.[1];
  if (version === undefined)
    throw invalid("", 'The If-Match header must be the ETag of an earlier answer, such as "3"');
  return version;
}
