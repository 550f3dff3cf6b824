import type { FastifyInstance } from "fastify";
import { compressAnswer } from "./compress.ts";
import { docsPage } from "./docs-page.ts";
import { docsScript } from "./docs-style.ts";
import { makeNonce, sendPage } from "./html-page.ts";
import { openApiDocument } from "./openapi.ts";

/** Stands for each request's nonce in the page that is kept. */
const nonceHere = "{nonce}";

/** The machine-readable description and the reference page; both are kept, the page for the address it was read at last. */
export function bindDocs(app: FastifyInstance, options: { publicUrl: URL | null; basePath: string }): void {
  const server = `${options.publicUrl?.origin ?? ""}${options.basePath}`;
  let document: Record<string, unknown> | null = null;
  const made = () => (document ??= openApiDocument(server));
  app.get("/openapi.json", { onSend: compressAnswer }, (_, reply) =>
    reply.header("cache-control", "no-cache").send(made()),
  );
  let page = { address: "", html: "" };
  app.get("/docs", { onSend: compressAnswer }, (request, reply) => {
    const nonce = makeNonce();
    // The commands on the page are meant to be copied, so they contain a complete address.
    const address = `${options.publicUrl?.origin ?? `${request.protocol}://${request.host}`}${options.basePath}`;
    if (page.address !== address) page = { address, html: docsPage(made(), address, nonceHere) };
    return sendPage(reply, page.html.replaceAll(nonceHere, nonce), nonce);
  });
  app.get("/docs.js", (_, reply) =>
    reply.headers({ "content-type": "text/javascript; charset=utf-8", "cache-control": "no-cache" }).send(docsScript),
  );
}
