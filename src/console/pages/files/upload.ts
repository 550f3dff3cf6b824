import type { Endpoint, Input, Output } from "#contract/endpoint.ts";
import { apiPath } from "../../api/base.ts";
import { callPath } from "../../api/call.ts";
import { now } from "../../api/clock.ts";
import { noteAnswer, noteNoAnswer } from "../../api/connectivity.ts";
import { foreignAnswer, NetworkError, readError } from "../../api/errors.ts";
import { csrfToken, endSession } from "../../api/session.ts";

interface UploadOptions {
  /** the part of the file that was sent, 0 to 1 */
  onProgress: (fraction: number) => void;
  signal: AbortSignal;
}

/**
 * Sends a file as a form, which `fetch` cannot say the progress of. Throws as `call` does: ApiError for a refusal,
 * NetworkError where no answer came, and the signal's reason when it was aborted.
 */
export async function upload<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  file: File,
  { onProgress, signal }: UploadOptions,
): Promise<Output<E>> {
  const token = csrfToken();
  const { status, text, header } = await send(endpoint.method, apiPath(callPath(endpoint, input)), file, {
    token,
    onProgress,
    signal,
  });
  if (status < 200 || status > 299) {
    if (status === 401) endSession(token);
    const retryAfter = header("retry-after");
    const headers = { "x-request-id": header("x-request-id") ?? "", ...(retryAfter && { "retry-after": retryAfter }) };
    throw await readError(new Response(text, { status, headers }), now());
  }
  try {
    return JSON.parse(text) as Output<E>;
  } catch {
    throw foreignAnswer(status);
  }
}

interface Answered {
  status: number;
  text: string;
  header: (name: string) => string | null;
}

async function send(
  method: string,
  path: string,
  file: File,
  { token, onProgress, signal }: UploadOptions & { token: string | undefined },
): Promise<Answered> {
  signal.throwIfAborted();
  const request = new XMLHttpRequest();
  const stop = () => request.abort();
  signal.addEventListener("abort", stop);
  try {
    return await new Promise<Answered>((resolve, reject) => {
      request.open(method, path);
      request.setRequestHeader("accept", "application/json");
      if (token !== undefined) request.setRequestHeader("x-csrf-token", token);
      request.upload.addEventListener("progress", ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total));
      request.addEventListener("load", () => {
        noteAnswer();
        const { status, responseText: text } = request;
        resolve({ status, text, header: (name) => request.getResponseHeader(name) });
      });
      request.addEventListener("error", () => {
        noteNoAnswer();
        reject(new NetworkError("unreachable"));
      });
      request.addEventListener("abort", () => reject(signal.reason as Error));
      const form = new FormData();
      form.append("file", file);
      request.send(form);
    });
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
