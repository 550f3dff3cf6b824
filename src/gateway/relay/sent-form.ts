import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import type { SentRequest, UpstreamForm } from "../providers/provider.ts";

/** A file of a form that is sent. */
interface FormFile {
  readonly name: string;
  readonly filename: string;
  readonly type: string;
  readonly bytes: Buffer;
}

const sentAtOnce = 65_536;

/** The form as it is sent: the files in pieces, not copied together with the fields. */
export function sentForm({ url, headers, fields }: UpstreamForm, files: readonly FormFile[]): SentRequest {
  const boundary = `gatehouse-${randomBytes(18).toString("hex")}`;
  const part = (name: string, rest: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${fieldName(name)}"${rest}\r\n\r\n`;
  const head = Buffer.from(fields.map(([name, value]) => `${part(name, "")}${value}\r\n`).join(""));
  const all = [
    head,
    ...files.flatMap(({ name, filename, type, bytes }) => [
      Buffer.from(part(name, `; filename="${filename}"\r\nContent-Type: ${type}`)),
      bytes,
      Buffer.from("\r\n"),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ];
  return {
    method: "POST",
    url,
    headers: {
      ...headers,
      "content-type": `multipart/form-data; boundary=${boundary}`,
      "content-length": String(all.reduce((size, { length }) => size + length, 0)),
    },
    body: Readable.from(pieces(all), { objectMode: false }),
  };
}

/** Names as browsers write them. */
const fieldName = (name: string) => name.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22");

function* pieces(buffers: readonly Buffer[]) {
  for (const buffer of buffers) {
    for (let at = 0; at < buffer.length; at += sentAtOnce) yield buffer.subarray(at, at + sentAtOnce);
  }
}
