import { isObject, modelNames } from "../answer.ts";
import { readFailure } from "../failure.ts";
import { anthropicFiles } from "../files.ts";
import type { HttpAdapter } from "../provider.ts";
import { chat, headers } from "./chat.ts";
import { messages } from "./passed.ts";

/** Anthropic offers no embeddings and no rerank models. */
export const anthropic: HttpAdapter = {
  transport: "http",
  kind: "anthropic",
  embeddings: null,
  chat,
  rerank: null,
  speech: null,
  transcription: null,
  images: null,
  videos: null,
  files: anthropicFiles,
  passed: { messages },
  models: {
    toRequest: (upstream) => ({
      method: "GET",
      url: `${upstream.baseUrl}/models?limit=1000`,
      headers: headers(upstream),
      body: null,
    }),
    readAnswer: (answer) => modelNames(isObject(answer) ? answer["data"] : null, "id"),
  },
  readFailure,
};
