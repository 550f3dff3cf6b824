import type { FastifyInstance, FastifyRequest } from "fastify";
import { downloadFileContent, uploadFile } from "#contract/files.ts";
import * as files from "../domain/files/files.ts";
import { invalid } from "../domain/refusal.ts";
import { streamForm, type StreamedPart } from "../relay/multipart-stream.ts";
import { type Authenticate, callerHooks } from "./auth.ts";
import { routePath } from "./bind.ts";
import { parseRequest, shapeAnswer } from "./parse.ts";

/** The operations whose bodies are bytes, which are not held whole. */
export type FileRouteName = "uploadFile" | "downloadFileContent";

export function bindFiles(app: FastifyInstance, authenticate: Authenticate): void {
  const hooks = callerHooks(authenticate, uploadFile);
  app.route({
    method: uploadFile.method,
    url: routePath(uploadFile.path),
    bodyLimit: uploadFile.bodyLimit,
    config: { operation: uploadFile.operationId, takesForm: "streamed" },
    ...hooks,
    handler: async (request, reply) => {
      const { query } = await parseRequest(uploadFile, { params: {}, query: request.query, body: null }, request.ip);
      const { context } = request.caller;
      const stillAllowed = async () => await hooks.onRequest(request);
      const answer = await files.upload(context, query, { ...(await fileIn(request)), stillAllowed });
      return reply.send(shapeAnswer(uploadFile, answer));
    },
  });
  app.route({
    method: downloadFileContent.method,
    url: routePath(downloadFileContent.path),
    config: { operation: downloadFileContent.operationId },
    ...callerHooks(authenticate, downloadFileContent),
    handler: async (request) => {
      const { params, query } = await parseRequest(
        downloadFileContent,
        { params: request.params, query: request.query, body: null },
        request.ip,
      );
      return await files.download(request.caller.context, query, params.file_id);
    },
  });
}

interface FormFile extends Pick<StreamedPart, "content"> {
  readonly filename: string;
}

/** Bytes of a part that is no file: they are not read. */
const mostFieldBytes = 65_536;

/**
 * The one file of a form. Its content ends when the whole form has come, so that nothing of a form that is cut off, or
 * refused for what follows, is kept.
 * @throws Refusal invalid_request
 */
async function fileIn({ headers, body }: FastifyRequest): Promise<FormFile> {
  if (!isStream(body)) throw invalid("", "Content-Type must be multipart/form-data");
  const parts = streamForm(body, headers["content-type"] ?? "");
  const file = await nextFile(parts);
  if (file === null) throw invalid("file", "is missing: send a form with one file");
  return { filename: file.filename, content: toTheEnd(file.content, parts) };
}

type Parts = ReturnType<typeof streamForm>;

async function nextFile(parts: Parts): Promise<FormFile | null> {
  for (let next = await parts.next(); next.done !== true; next = await parts.next()) {
    const { name, filename, content } = next.value;
    if (name === "file" && filename !== null) return { filename, content };
    let size = 0;
    for await (const piece of content) {
      size += piece.length;
      if (size > mostFieldBytes) throw invalid(name.slice(0, 100), `must have at most ${mostFieldBytes} bytes`);
    }
  }
  return null;
}

async function* toTheEnd(content: StreamedPart["content"], parts: Parts): StreamedPart["content"] {
  yield* content;
  if ((await nextFile(parts)) !== null) throw invalid("file", "must be sent once");
}

function isStream(body: unknown): body is AsyncIterable<Buffer> {
  return typeof body === "object" && body !== null && Symbol.asyncIterator in body;
}
