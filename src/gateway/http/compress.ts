import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Below this, the encoding's own bytes and the work outweigh what is saved. */
const leastBytes = 1_024;

export type Encoding = "br" | "gzip";

const encoders: Record<Encoding, (json: string | Buffer) => Promise<Buffer>> = {
  // Quality 4 takes as long as gzip and saves a sixth more; the default, 11, is for files that are compressed once.
  br: (json) => promisify(brotliCompress)(json, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (json) => promisify(gzip)(json),
};

/** The encoding that the caller accepts, brotli first; null: none, so the answer is sent uncompressed. */
export function acceptedEncoding({ headers }: FastifyRequest): Encoding | null {
  const accepted = (headers["accept-encoding"] ?? "")
    .split(",")
    .filter((one) => !/;\s*q=0(\.0*)?\s*(;|$)/i.test(one))
    .map((one) => one.split(";", 1)[0]?.trim().toLowerCase());
  return (["br", "gzip"] as const).find((encoding) => accepted.includes(encoding)) ?? null;
}

/**
 * A route's `onSend` hook that compresses its JSON, off the main thread. Only for routes that read (HEAD returns the
 * same headers as GET): the size of an answer that shows a new key must not reveal anything about the key.
 */
export async function compressAnswer(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (typeof payload !== "string" && !Buffer.isBuffer(payload)) return payload;
  if (Buffer.byteLength(payload) < leastBytes) return payload;
  return await encoded(request, reply, payload, (encoding) => encoders[encoding](payload));
}

/** Sends a text that is kept. */
export type SendKept = (request: FastifyRequest, reply: FastifyReply) => Promise<Buffer | FastifyReply>;

/** For a text that hardly ever changes: it is compressed once for each encoding, and not sent to a caller who has it. */
export function compressedOnce(text: string | Buffer): SendKept {
  const plain = Buffer.from(text);
  const etag = `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`;
  const kept = new Map<Encoding, Promise<Buffer>>();
  const compress = (encoding: Encoding) => {
    const compressed = kept.get(encoding) ?? encoders[encoding](plain);
    kept.set(encoding, compressed);
    return compressed;
  };
  return async (request, reply) => {
    reply.headers({ etag, "cache-control": "no-cache" });
    const isKnown = request.headers["if-none-match"]?.includes(etag) === true;
    if (!isKnown && plain.length >= leastBytes) return await encoded(request, reply, plain, compress);
    varyByEncoding(reply);
    return isKnown ? reply.code(304).send() : plain;
  };
}

async function encoded<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  plain: T,
  compress: (encoding: Encoding) => Promise<Buffer>,
): Promise<T | Buffer> {
  varyByEncoding(reply);
  const encoding = acceptedEncoding(request);
  if (encoding === null) return plain;
  const compressed = await compress(encoding);
  reply.header("content-encoding", encoding).removeHeader("content-length");
  return compressed;
}

function varyByEncoding(reply: FastifyReply): void {
  const origin = reply.getHeader("vary");
  reply.header("vary", origin === undefined ? "Accept-Encoding" : `${String(origin)}, Accept-Encoding`);
}
