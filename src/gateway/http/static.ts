import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isConsolePath } from "#contract/console-paths.ts";
import type { SessionRecord } from "#contract/session.ts";
import { acceptedEncoding } from "./compress.ts";
import { makeNonce, pageHeaders } from "./html-page.ts";
import { sessionCookie } from "./auth.ts";

const contentTypes: Record<string, string> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json; charset=utf-8",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
};

interface Asset {
  contentType: string;
  etag: string;
  /** hashed names never change their content */
  immutable: boolean;
  plain: Buffer;
  br: Buffer | null;
  gzip: Buffer | null;
}

/** The built console: every file that can be requested, and the page that starts it. */
export interface ConsoleFiles {
  index: string;
  assets: ReadonlyMap<string, Asset>;
}

/** Reads the build in `folder` into memory (a few hundred kilobytes); null if there is no build. */
export async function readConsole(folder: string): Promise<ConsoleFiles | null> {
  const index = await readFile(join(folder, "index.html"), "utf8").catch(() => null);
  if (index === null) return null;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replaceAll("\\", "/").replace(/^\/?/, "/"));
  const contents = new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const)),
  );
  const served = names.filter((name) => contentTypes[extname(name)] !== undefined && !name.startsWith("/."));
  return { index, assets: new Map(served.map((name) => [name, asset(name, contents)])) };
}

function asset(name: string, contents: ReadonlyMap<string, Buffer>): Asset {
  const plain = contents.get(name) ?? Buffer.alloc(0);
  return {
    contentType: contentTypes[extname(name)] ?? "application/octet-stream",
    etag: `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`,
    immutable: name.startsWith("/assets/"),
    plain,
    br: contents.get(`${name}.br`) ?? null,
    gzip: contents.get(`${name}.gz`) ?? null,
  };
}

/**
 * Serves the console: its files by name, and its page where it has one. Other addresses get the page as well when a
 * person navigates there, which says that nothing is there, with status 404; a program gets the error envelope.
 */
export function bindConsole(
  app: FastifyInstance,
  files: ConsoleFiles,
  basePath: string,
  sessionOf: (token: string) => Promise<SessionRecord | null>,
): void {
  const page = withBasePath(files.index, basePath);
  app.get("/*", async (request, reply) => {
    const [path = ""] = request.url.split("?", 1);
    const asset = files.assets.get(path);
    if (asset !== undefined) return sendAsset(request, reply, asset);
    const known = isConsolePath(path);
    if (!known && !navigates(request, path)) return reply.callNotFound();
    if (!known) reply.code(404);
    const nonce = makeNonce();
    const session = await sessionWords(request, sessionOf);
    const filled = page
      .replace(...metaContent("csp-nonce", nonce))
      .replace(...metaContent("gatehouse-session", session));
    reply.headers(pageHeaders(nonce));
    // it holds the token against forged requests
    if (session.startsWith("{")) reply.header("cache-control", "no-store");
    return reply.send(filled);
  });
}

function navigates({ headers }: FastifyRequest, path: string): boolean {
  return headers.accept?.includes("text/html") === true && !/^\/(api|v1)(\/|$)/.test(path) && extname(path) === "";
}

/** A store that does not answer keeps no page away. */
const sessionWithinMs = 500;

/**
 * Who is signed in, "none" when certainly no one is, or nothing: a page that knows need not ask, wait, and cause a 401
 * that browsers log as an error. A visit from another site lacks the SameSite=Strict cookie even if someone is signed
 * in, and says so.
 */
async function sessionWords(
  request: FastifyRequest,
  sessionOf: (token: string) => Promise<SessionRecord | null>,
): Promise<string> {
  const token = request.cookies[sessionCookie];
  const from = request.headers["sec-fetch-site"];
  if (token === undefined) return from === "none" || from === "same-origin" ? "none" : "";
  try {
    const session = await Promise.race([sessionOf(token), wait(sessionWithinMs)]);
    if (session === undefined) return "";
    return session === null ? "none" : JSON.stringify(session);
  } catch {
    // a page that has to ask says what is wrong
    return "";
  }
}

/** Points the page's relative asset addresses at the base path, whatever deep link it is served for. */
function withBasePath(index: string, basePath: string): string {
  return index.replaceAll(/(src|href)="\.\//g, `$1="${basePath}/`).replace(...metaContent("gatehouse-base", basePath));
}

function metaContent(name: string, content: string): [RegExp, (start: string) => string] {
  return [new RegExp(`<meta name="${name}" content="(?=")`), (start) => start + escaped(content)];
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

function sendAsset(request: FastifyRequest, reply: FastifyReply, asset: Asset): FastifyReply {
  reply.headers({
    "content-type": asset.contentType,
    "cache-control": asset.immutable ? "public, max-age=31536000, immutable" : "no-cache",
    etag: asset.etag,
    vary: "accept-encoding",
  });
  if (request.headers["if-none-match"]?.includes(asset.etag)) return reply.code(304).send();
  const encoding = acceptedEncoding(request);
  const encoded = encoding === "br" ? asset.br : encoding === "gzip" ? asset.gzip : null;
  if (encoded === null) return reply.send(asset.plain);
  return reply.header("content-encoding", String(encoding)).send(encoded);
}
