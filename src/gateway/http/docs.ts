import type { FastifyInstance } from "fastify";
import { compressedOnce, type SendKept } from "./compress.ts";
import { docsPage, escape } from "./docs-page.ts";
import { docsScript, docsStyle } from "./docs-style.ts";
import { makeNonce, pageHeaders } from "./html-page.ts";
import { openApiDocument } from "./openapi.ts";

/** Stands for the gateway's address in the page that is made. */
const addressHere = "{address}";

/** Where the page's script does not run. */
const originUnknown = "https://GATEWAY";

/**
 * The machine-readable description and the reference page. Anyone may read them as often as they like, so both are
 * written and compressed once, whatever host they are asked for by.
 */
export function bindDocs(app: FastifyInstance, options: { publicUrl: URL | null; basePath: string }): void {
  const server = `${options.publicUrl?.origin ?? ""}${options.basePath}`;
  let description: { document: Record<string, unknown>; send: SendKept } | null = null;
  const described = () => {
    if (description !== null) return description;
    const document = openApiDocument(server);
    return (description = { document, send: compressedOnce(JSON.stringify(document)) });
  };
  app.get("/openapi.json", async (request, reply) => {
    reply.header("content-type", "application/json; charset=utf-8");
    return await described().send(request, reply);
  });
  let page: SendKept | null = null;
  app.get("/docs", async (request, reply) => {
    if (page === null) {
      // The commands on the page are meant to be copied, so the page's script completes their address.
      const origin = options.publicUrl === null ? `<span class="origin">${originUnknown}</span>` : "";
      const address = `${origin}${escape(server)}`;
      page = compressedOnce(docsPage(described().document, addressHere).replaceAll(addressHere, () => address));
    }
    reply.headers(pageHeaders(makeNonce()));
    return await page(request, reply);
  });
  const style = compressedOnce(docsStyle);
  app.get("/docs.css", async (request, reply) => {
    reply.header("content-type", "text/css; charset=utf-8");
    return await style(request, reply);
  });
  const script = compressedOnce(docsScript);
  app.get("/docs.js", async (request, reply) => {
    reply.header("content-type", "text/javascript; charset=utf-8");
    return await script(request, reply);
  });
}
