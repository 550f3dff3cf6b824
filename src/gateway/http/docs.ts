import type { FastifyInstance } from "fastify";
import { compressAnswer } from "./compress.ts";
import { docsPage } from "./docs-page.ts";
import { docsScript } from "./docs-style.ts";
import { makeNonce, sendPage } from "./html-page.ts";
import { openApiDocument } from "./openapi.ts";

/** The machine-readable description and the reference page; both are built once, on the first request. */
export function bindDocs(app: FastifyInstance, options: { publicUrl: URL | null; basePath: string }): void {
  const server = `${options.publicUrl?.origin ?? ""}${options.basePath}`;
  let document: Record<string, unknown> | null = null;
  const made = () => (document ??= openApiDocument(server));
  app.get("/openapi.json", { onSend: compressAnswer }, (_, reply) =>
    reply.header("cache-control", "no-cache").send(made()),
  );
  app.get("/docs", (request, reply) => {
    const nonce = makeNonce();
    // The commands on the page are meant to be copied, so they contain a complete address.
    const origin = options.publicUrl?.origin ?? `${request.protocol}://${request.host}`;
    return sendPage(reply, docsPage(made(), `${origin}${options.basePath}`, nonce), nonce);
  });
  app.get("/docs.js", (_, reply) =>
    reply.headers({ "content-type": "text/javascript; charset=utf-8", "cache-control": "no-cache" }).send(docsScript),
  );
}
