import type { FastifyInstance } from "fastify";
import { compressedOnce } from "./compress.ts";
import { docsPage, escape } from "./docs-page.ts";
import { docsScript, docsStyle } from "./docs-style.ts";
import { makeNonce, pageHeaders } from "./html-page.ts";
import { openApiDocument } from "./openapi.ts";

/** Stands for the gateway's address in the page that is kept. */
const addressHere = "{address}";

/**
 * The machine-readable description and the reference page. Anyone may read them as often as they like, so both are
 * written and compressed once; the page for the address that it was read at last.
 */
export function bindDocs(app: FastifyInstance, options: { publicUrl: URL | null; basePath: string }): void {
  const server = `${options.publicUrl?.origin ?? ""}${options.basePath}`;
  let description: { document: Record<string, unknown>; send: ReturnType<typeof compressedOnce> } | null = null;
  const described = () => {
    if (description !== null) return description;
    const document = openApiDocument(server);
    return (description = { document, send: compressedOnce(JSON.stringify(document)) });
  };
  app.get("/openapi.json", async (request, reply) => {
    reply.headers({ "content-type": "application/json; charset=utf-8", "cache-control": "no-cache" });
    return await described().send(request, reply);
  });
  let html: string | null = null;
  let page: { address: string; send: ReturnType<typeof compressedOnce> } | null = null;
  app.get("/docs", async (request, reply) => {
    // The commands on the page are meant to be copied, so they contain a complete address.
    const address = `${options.publicUrl?.origin ?? `${request.protocol}://${request.host}`}${options.basePath}`;
    if (page?.address !== address) {
      html ??= docsPage(described().document, addressHere);
      page = { address, send: compressedOnce(html.replaceAll(addressHere, () => escape(address))) };
    }
    reply.headers(pageHeaders(makeNonce()));
    return await page.send(request, reply);
  });
  const style = compressedOnce(docsStyle);
  app.get("/docs.css", async (request, reply) => {
    reply.headers({ "content-type": "text/css; charset=utf-8", "cache-control": "no-cache" });
    return await style(request, reply);
  });
  app.get("/docs.js", (_, reply) =>
    reply.headers({ "content-type": "text/javascript; charset=utf-8", "cache-control": "no-cache" }).send(docsScript),
  );
}
