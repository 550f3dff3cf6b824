import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { makeNonce, sendPage } from "./page.ts";
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

/** The built console: every file that may be asked for, and the page that starts it. */
export interface ConsoleFiles {
  index: string;
  assets: ReadonlyMap<string, Asset>;
}

/** Reads the build in `folder` into memory (a few hundred kilobytes); null where there is no build. */
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

/** Serves the console: its files by name, and its page for every other path that a browser navigates to. */
export function bindConsole(app: FastifyInstance, files: ConsoleFiles, basePath: string): void {
  const page = withBasePath(files.index, basePath);
  app.get("/*", (request, reply) => {
    const path = new URL(request.url, "http://console").pathname;
    const asset = files.assets.get(path);
    if (asset !== undefined) return sendAsset(request, reply, asset);
    if (path.startsWith("/api/") || extname(path) !== "") return reply.callNotFound();
    const nonce = makeNonce();
    const session = cameSignedOut(request) ? "none" : "";
    const filled = page
      .replace(...metaContent("csp-nonce", nonce))
      .replace(...metaContent("gatehouse-session", session));
    return sendPage(reply, filled, nonce);
  });
}

/**
 * True when nobody is signed in for sure: a page that knows need not ask, and cause a 401 that browsers log as an error.
 * A visit from another site comes without the SameSite=Strict cookie even of someone who is signed in, and says so.
 */
function cameSignedOut(request: FastifyRequest): boolean {
  const from = request.headers["sec-fetch-site"];
  return request.cookies[sessionCookie] === undefined && (from === "none" || from === "same-origin");
}

/** Points the page's relative asset addresses at the base path, whatever deep link it is served for. */
function withBasePath(index: string, basePath: string): string {
  return index.replaceAll(/(src|href)="\.\//g, `$1="${basePath}/`).replace(...metaContent("gatehouse-base", basePath));
}

function metaContent(name: string, content: string): [RegExp, string] {
  return [new RegExp(`(<meta name="${name}" content=")(?=")`), `$1${content}`];
}

function sendAsset(request: FastifyRequest, reply: FastifyReply, asset: Asset): FastifyReply {
  reply.headers({
    "content-type": asset.contentType,
    "cache-control": asset.immutable ? "public, max-age=31536000, immutable" : "no-cache",
    etag: asset.etag,
    vary: "accept-encoding",
  });
  if (request.headers["if-none-match"]?.includes(asset.etag)) return reply.code(304).send();
  const accepted = request.headers["accept-encoding"] ?? "";
  if (asset.br !== null && /\bbr\b/.test(accepted)) return reply.header("content-encoding", "br").send(asset.br);
  if (asset.gzip !== null && /\bgzip\b/.test(accepted))
    return reply.header("content-encoding", "gzip").send(asset.gzip);
  return reply.send(asset.plain);
}
