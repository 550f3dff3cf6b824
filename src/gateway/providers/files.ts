import type { FilesDialect } from "./provider.ts";
import { headers as anthropicHeaders } from "./anthropic/chat.ts";
import { headers as compatibleHeaders, operationUrl } from "./compatible/request.ts";

const withoutType = ({ "content-type": _, ...headers }: Record<string, string>) => headers;

/** https://platform.openai.com/docs/api-reference/files: each row of presets.ts that has them says so. */
export const openAiFiles: FilesDialect = {
  shape: "openai",
  takes: ({ options }) => options.files === true,
  url: (upstream, path) => operationUrl(upstream, path),
  headers: (upstream, accept) => withoutType(compatibleHeaders(upstream, accept)),
};

/** https://docs.anthropic.com/en/docs/build-with-claude/files */
export const anthropicFiles: FilesDialect = {
  shape: "anthropic",
  takes: () => true,
  url: ({ baseUrl }, path) => `${baseUrl}/${path}`,
  headers: (upstream, accept) => ({
    ...withoutType(anthropicHeaders(upstream, accept)),
    "anthropic-beta": "files-api-2025-04-14",
  }),
};
