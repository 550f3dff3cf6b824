import * as z from "zod/mini";
import { endpoint, megabytes } from "./endpoint.ts";
import { queryInteger } from "./page.ts";
import { Instant } from "./time.ts";

/** Of a workspace, besides its quota of bytes. */
export const mostFiles = 10_000;

/** What a file may be, as its content shows. */
export const fileTypes = [
  "application/pdf",
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  "audio/mpeg",
  "audio/wav",
  "audio/flac",
  "audio/ogg",
  "application/json",
  "application/x-ndjson",
  "text/csv",
  "text/markdown",
  "text/plain",
] as const;
export type FileType = (typeof fileTypes)[number];

/** An id of the gateway's own. */
export const fileId = /^or_file_[0-9a-f]{32}$/;

const members = {
  id: z.string(),
  type: z.literal("file"),
  filename: z.string(),
  mime_type: z.string(),
  size_bytes: z.int(),
  created_at: z.string(),
  downloadable: z.boolean(),
};

/** A file that the gateway keeps. */
export const KeptFile = z.object({
  _shape: z.literal("openrouter"),
  ...members,
  mime_type: z.enum(fileTypes),
  created_at: Instant,
});
export type KeptFile = z.infer<typeof KeptFile>;

/** Files at a vendor are the vendor's own records, with `_shape` added. */
const AnthropicFile = z.looseObject({ _shape: z.literal("anthropic"), ...members });
const OpenAiFile = z.looseObject({
  _shape: z.literal("openai"),
  id: z.string(),
  object: z.literal("file"),
  bytes: z.int(),
  created_at: z.int(),
  filename: z.string(),
  purpose: z.string(),
});
const File = z.discriminatedUnion("_shape", [KeptFile, AnthropicFile, OpenAiFile]);

const firstAndLast = {
  has_more: z.boolean(),
  first_id: z.nullable(z.string()),
  last_id: z.nullable(z.string()),
};

const KeptFiles = z.object({
  _shape: z.literal("openrouter"),
  data: z.array(KeptFile),
  ...firstAndLast,
  cursor: z.nullable(z.string()),
  /** beyond the public API: what the files of the workspace come to, and the most that they may */
  usage: z.object({ bytes: z.int(), files: z.int(), most_bytes: z.int(), most_files: z.int() }),
});
export type KeptFiles = z.infer<typeof KeptFiles>;

const Files = z.discriminatedUnion("_shape", [
  KeptFiles,
  z.looseObject({ _shape: z.literal("anthropic"), data: z.array(AnthropicFile), ...firstAndLast }),
  z.looseObject({
    _shape: z.literal("openai"),
    object: z.literal("list"),
    data: z.array(OpenAiFile),
    ...firstAndLast,
  }),
]);

const deletion = { id: z.string(), type: z.literal("file_deleted") };
const DeletedFile = z.discriminatedUnion("_shape", [
  z.object({ _shape: z.literal("openrouter"), ...deletion }),
  z.looseObject({ _shape: z.literal("anthropic"), ...deletion }),
  z.looseObject({
    _shape: z.literal("openai"),
    id: z.string(),
    object: z.literal("file"),
    deleted: z.literal(true),
  }),
]);

/** Whose files are meant. */
const place = {
  /** of a management key; absent: the default workspace. An API key has its own */
  workspace_id: z.optional(z.uuid()),
  /** the vendor that keeps the file, with the workspace's own key; absent: the gateway */
  provider: z.optional(z.enum(["openai", "anthropic"])),
};
const Id = z.string().check(z.minLength(1), z.maxLength(255));
/** It becomes a part of a path at a vendor. */
const FileId = Id.check(z.regex(/^[\w-][\w.:-]*$/, "must be the id of a file"));
const One = z.strictObject({ file_id: FileId });
const tag = "Files";
const atVendor =
  "With `provider` the file is at that vendor, and the call is made with the workspace's own key for it.";

export const listFiles = endpoint({
  name: "listFiles",
  method: "GET",
  path: "/files",
  tag,
  summary: "List a workspace's files",
  description: `The oldest first. ${atVendor} Of the gateway's own files, \`order\` can be \`asc\` alone, and there is no \`before_id\`.`,
  auth: "any",
  query: z.strictObject({
    ...place,
    limit: z.optional(queryInteger(1, 1_000)),
    cursor: z.optional(z.string().check(z.maxLength(2_000))),
    after: z.optional(Id),
    after_id: z.optional(Id),
    before_id: z.optional(Id),
    order: z.optional(z.enum(["asc", "desc"])),
  }),
  returns: Files,
  errors: [400, 401, 403, 404, 429, 500, 502, 503, 524],
});

export const uploadFile = endpoint({
  name: "uploadFile",
  method: "POST",
  path: "/files",
  tag,
  summary: "Upload a file",
  description: `As a form with one file; the part \`purpose\` of OpenAI's clients is only read for files at OpenAI. What the file is, its content says: ${fileTypes.join(", ")}. ${atVendor}`,
  auth: "any",
  query: z.strictObject(place),
  form: z.object({
    /** not empty, and no larger than the gateway takes */
    file: z.string(),
    purpose: z.optional(z.string()),
  }),
  // The most that the setting can be, and the form around the file.
  bodyLimit: megabytes(513),
  returns: File,
  errors: [400, 401, 403, 404, 408, 413, 429, 500, 502, 503, 524],
});

export const getFileMetadata = endpoint({
  name: "getFileMetadata",
  method: "GET",
  path: "/files/{file_id}",
  tag,
  summary: "Get a file's record",
  description: atVendor,
  auth: "any",
  params: One,
  query: z.strictObject(place),
  returns: File,
  errors: [400, 401, 403, 404, 429, 500, 502, 503, 524],
});

export const deleteFile = endpoint({
  name: "deleteFile",
  method: "DELETE",
  path: "/files/{file_id}",
  tag,
  summary: "Delete a file",
  description: `Its bytes are deleted with it. ${atVendor}`,
  auth: "any",
  params: One,
  query: z.strictObject(place),
  returns: DeletedFile,
  errors: [400, 401, 403, 404, 429, 500, 502, 503, 524],
});

export const downloadFileContent = endpoint({
  name: "downloadFileContent",
  method: "GET",
  path: "/files/{file_id}/content",
  tag,
  summary: "Download a file that a tool has made",
  description: `As in the public API, a file that was uploaded answers 400. ${atVendor}`,
  auth: "any",
  params: One,
  query: z.strictObject(place),
  returns: z.string(),
  binary: ["application/octet-stream"],
  errors: [400, 401, 403, 404, 429, 500, 502, 503, 524],
});
