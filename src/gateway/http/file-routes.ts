import type { FastifyInstance, FastifyRequest } from "fastify";
import { downloadFileContent, uploadFile } from "#contract/files.ts";
import * as files from "../domain/files/files.ts";
import { upload } from "../domain/files/upload.ts";
import { invalid } from "../domain/refusal.ts";
import { streamForm, type StreamedPart } from "../relay/multipart-stream.ts";
import type { VendorFiles } from "../relay/files/vendor-files.ts";
import { type Authenticate, callerHooks } from "./auth.ts";
import type { Handlers } from "./bind.ts";
import { deletionInOpenAiShape, inOpenAiShape, listInOpenAiShape } from "./file-shapes.ts";
import { routePath } from "./route-path.ts";
import { parseRequest, shapeAnswer } from "./parse.ts";
import { familyOf } from "./short-paths.ts";

/** The other operations. A file is at a vendor, or the gateway keeps it. */
export function fileHandlers(vendor: VendorFiles) {
  return {
    listFiles: async (ctx, { query: { provider, ...query } }, { request }) => {
      if (provider !== undefined) return await vendor.list(ctx, { ...query, provider });
      const list = await files.list(ctx, query);
      return isOpenAis(request) ? listInOpenAiShape(list) : list;
    },
    getFileMetadata: async (ctx, { params: { file_id: id }, query: { provider, ...query } }, { request }) => {
      if (provider !== undefined) return await vendor.get(ctx, { ...query, provider }, id);
      const file = await files.get(ctx, query, id);
      return isOpenAis(request) ? inOpenAiShape(file) : file;
    },
    deleteFile: async (ctx, { params: { file_id: id }, query: { provider, ...query } }, { request }) => {
      if (provider !== undefined) return await vendor.remove(ctx, { ...query, provider }, id);
      const deletion = await files.remove(ctx, query, id);
      return isOpenAis(request) ? deletionInOpenAiShape(id) : deletion;
    },
  } satisfies Partial<Handlers>;
}

const isOpenAis = ({ raw }: FastifyRequest) => familyOf(raw)?.name === "openai";

export function bindFiles(app: FastifyInstance, vendor: VendorFiles, authenticate: Authenticate): void {
  const hooks = callerHooks(authenticate, uploadFile);
  app.route({
    method: uploadFile.method,
    url: routePath(uploadFile.path),
    bodyLimit: uploadFile.bodyLimit,
    config: { operation: uploadFile.operationId, takesForm: "streamed" },
    ...hooks,
    handler: async (request, reply) => {
      const sent = { params: {}, query: request.query, body: null };
      const { provider, ...query } = (await parseRequest(uploadFile, sent, request.ip)).query;
      const { context } = request.caller;
      const stillAllowed = async () => await hooks.onRequest(request);
      const file = await fileIn(request);
      if (provider !== undefined)
        return reply.send(shapeAnswer(uploadFile, await vendor.upload(context, { ...query, provider }, file)));
      const kept = await upload(context, query, { ...file, stillAllowed });
      return reply.send(shapeAnswer(uploadFile, isOpenAis(request) ? inOpenAiShape(kept) : kept));
    },
  });
  app.route({
    method: downloadFileContent.method,
    url: routePath(downloadFileContent.path),
    config: { operation: downloadFileContent.operationId },
    ...callerHooks(authenticate, downloadFileContent),
    handler: async (request, reply) => {
      const sent = { params: request.params, query: request.query, body: null };
      const {
        params,
        query: { provider, ...query },
      } = await parseRequest(downloadFileContent, sent, request.ip);
      const { context } = request.caller;
      if (provider === undefined) return await files.download(context, query, params.file_id);
      const content = await vendor.download(context, { ...query, provider }, params.file_id);
      return reply
        .headers({ "content-type": "application/octet-stream", "content-disposition": "attachment" })
        .send(content);
    },
  });
}

interface FormFile extends Pick<StreamedPart, "content"> {
  readonly filename: string;
  /** the field of this name; known once the content has been read */
  purpose(): string | null;
}

/** Bytes of a part that is no file. */
const mostFieldBytes = 65_536;

/**
 * The one file of a form. Its content ends when the whole form has come, so that nothing of a form that is cut off, or
 * refused for what follows, is kept.
 * @throws Refusal invalid_request
 */
async function fileIn({ headers, body }: FastifyRequest): Promise<FormFile> {
  if (!isStream(body)) throw invalid("", "Content-Type must be multipart/form-data");
  const parts = streamForm(body, headers["content-type"] ?? "");
  const fields = new Map<string, string>();
  const file = await nextFile(parts, fields);
  if (file === null) throw invalid("file", "is missing: send a form with one file");
  async function* toTheEnd(): StreamedPart["content"] {
    yield* file?.content ?? [];
    if ((await nextFile(parts, fields)) !== null) throw invalid("file", "must be sent once");
  }
  return { filename: file.filename ?? "", content: toTheEnd(), purpose: () => fields.get("purpose") ?? null };
}

/** @param fields takes those before it */
async function nextFile(
  parts: ReturnType<typeof streamForm>,
  fields: Map<string, string>,
): Promise<StreamedPart | null> {
  for (let next = await parts.next(); next.done !== true; next = await parts.next()) {
    const { name, filename, content } = next.value;
    if (name === "file" && filename !== null) return next.value;
    const pieces: Buffer[] = [];
    let size = 0;
    for await (const piece of content) {
      size += piece.length;
      if (size > mostFieldBytes) throw invalid(name.slice(0, 100), `must have at most ${mostFieldBytes} bytes`);
      pieces.push(piece);
    }
    if (name === "purpose") fields.set(name, Buffer.concat(pieces).toString("utf8"));
  }
  return null;
}

function isStream(body: unknown): body is AsyncIterable<Buffer> {
  return typeof body === "object" && body !== null && Symbol.asyncIterator in body;
}
