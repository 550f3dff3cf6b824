import type { Dispatcher } from "undici";
import type { Room } from "../memory-budget.ts";
import { call, CallFailed, cannotCarry, readBody } from "./call.ts";
import { readDataUrl } from "./messages.ts";
import type { EmbeddingItem, EmbeddingPart } from "./provider.ts";

/** Largest image that is fetched for a caller; vendors take less. */
const mostBytes = 20 * 1024 * 1024;
const timeoutMs = 15_000;
/** Images per input; their bytes are held until the vendor has them. */
const mostParallel = 8;
/** Signed addresses of storage services have about 2,000 characters. */
export const longestAddress = 8_192;

/**
 * Fetches images given as http addresses, for a vendor that only accepts them inline. The dispatcher must be the one
 * for addresses that callers set. Redirects are not followed. An address that is given many times is fetched once, and
 * takes room in each of its places.
 * @throws NoRoom; CallFailed when one cannot be fetched, or is no image
 */
export async function inlineImages(
  dispatcher: Dispatcher,
  items: readonly EmbeddingItem[],
  { signal, room }: { readonly signal: AbortSignal; readonly room: Room },
): Promise<readonly EmbeddingItem[]> {
  const fetched = new Map<string, Promise<string>>();
  const inlinePart = async (part: EmbeddingPart): Promise<EmbeddingPart> => {
    if (part.type === "text" || readDataUrl(part.image_url.url)) return part;
    const { url } = part.image_url;
    const fetching = fetched.get(url) ?? fetchAsDataUrl(dispatcher, url, signal, room);
    fetched.set(url, fetching);
    const inline = await fetching;
    room.take(inline.length);
    return { type: "image_url", image_url: { url: inline } };
  };
  const inlined: EmbeddingItem[] = [];
  for (const item of items) {
    if (item.type !== "block") {
      inlined.push(item);
      continue;
    }
    const parts: EmbeddingPart[] = [];
    for (let from = 0; from < item.parts.length; from += mostParallel) {
      parts.push(...(await Promise.all(item.parts.slice(from, from + mostParallel).map(inlinePart))));
    }
    inlined.push({ type: "block", parts });
  }
  return inlined;
}

async function fetchAsDataUrl(dispatcher: Dispatcher, url: string, signal: AbortSignal, room: Room): Promise<string> {
  const { type, body } = await fetchImage(dispatcher, url, signal, room);
  room.give(body.length);
  return `data:${type};base64,${body.toString("base64")}`;
}

/**
 * The bytes of an image, from the address or the data URL that a caller gave.
 * @throws CallFailed as inlineImages
 */
export async function imageBytes(dispatcher: Dispatcher, url: string, signal: AbortSignal): Promise<Buffer> {
  const inline = readDataUrl(url);
  return inline ? Buffer.from(inline.base64, "base64") : (await fetchImage(dispatcher, url, signal)).body;
}

async function fetchImage(dispatcher: Dispatcher, url: string, signal: AbortSignal, room?: Room) {
  const host = hostOf(url);
  try {
    const request = { method: "GET" as const, url, headers: { accept: "image/*" }, body: null };
    const answer = await call(dispatcher, request, { signal, headersTimeoutMs: timeoutMs, bodyTimeoutMs: timeoutMs });
    const [type = ""] = (answer.headers["content-type"] ?? "").toLowerCase().split(";");
    const body = await readBody(answer, mostBytes, signal, room);
    if (answer.status !== 200) throw cannotCarry(`the image at ${host} was not given out: status ${answer.status}`);
    if (!/^image\/[\w.+-]+$/.test(type.trim()))
      throw cannotCarry(
        `what ${host} gave out is no image: its content type is ${type.trim().slice(0, 100) || "missing"}`,
      );
    return { type: type.trim(), body };
  } catch (error) {
    if (!(error instanceof CallFailed) || error.failure.code === "cannot_carry") throw error;
    throw cannotCarry(`the image at ${host} could not be fetched: ${error.failure.message}`);
  }
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? "an address";
}

/**
 * Why an image's address, as a caller gave it, must not be passed on; null when it may be. Vendors fetch addresses by
 * themselves: a self-hosted one would fetch from its own networks.
 * @param refuse judges IP addresses that callers set
 */
export function imageAddressProblem(url: string, refuse: (address: string) => string | null): string | null {
  if (/^data:/i.test(url)) return readDataUrl(url) ? null : "must hold its image in base64: data:image/png;base64,…";
  if (url.length > longestAddress) return `must be an address of at most ${longestAddress} characters, or a data URL`;
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return "must be an http, https or data address";
  const host = parsed.hostname.replace(/^\[|\]$/g, "").replace(/\.+$/, "");
  const local = /(^|\.)localhost$/.test(host) ? "127.0.0.1" : host;
  const reason = /^[\d.]+$|:/.test(local) ? refuse(local) : null;
  return reason === null ? null : `must not lead into a private network: ${reason}`;
}
