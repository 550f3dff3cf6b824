import type { Output } from "#contract/endpoint.ts";
import type { deleteFile, getFileMetadata, listFiles } from "#contract/files.ts";
import type { StoredFile, StoredFiles } from "../domain/files/row.ts";

type OpenAi<T> = Extract<T, { _shape: "openai" }>;

/** A file that the gateway keeps, as OpenAI's clients read it: https://platform.openai.com/docs/api-reference/files/object */
export function inOpenAiShape(file: StoredFile): OpenAi<Output<typeof getFileMetadata>> {
  return {
    _shape: "openai",
    id: file.id,
    object: "file",
    bytes: file.size_bytes,
    created_at: Math.floor(Date.parse(file.created_at) / 1_000),
    filename: file.filename,
    purpose: file.purpose,
    status: "processed",
  };
}

export function listInOpenAiShape({
  data,
  has_more,
  first_id,
  last_id,
}: StoredFiles): OpenAi<Output<typeof listFiles>> {
  return { _shape: "openai", object: "list", data: data.map(inOpenAiShape), has_more, first_id, last_id };
}

export const deletionInOpenAiShape = (id: string): OpenAi<Output<typeof deleteFile>> => ({
  _shape: "openai",
  id,
  object: "file",
  deleted: true,
});
