import { isObject, modelNames } from "../answer.ts";
import { headers } from "../compatible/request.ts";
import { readFailure } from "../failure.ts";
import type { HttpAdapter } from "../provider.ts";
import { chat } from "./chat.ts";
import { embeddings } from "./embeddings.ts";
import { rerank } from "./rerank.ts";

export const cohere: HttpAdapter = {
  transport: "http",
  kind: "cohere",
  embeddings,
  chat,
  rerank,
  speech: null,
  transcription: null,
  images: null,
  videos: null,
  models: {
    // The list is version 1's alone: https://docs.cohere.com/reference/list-models
    toRequest: (upstream) => ({
      method: "GET",
      url: `${upstream.baseUrl.replace(/\/v2$/, "/v1")}/models?page_size=1000`,
      headers: headers(upstream),
      body: null,
    }),
    readAnswer: (answer) => modelNames(isObject(answer) ? answer["models"] : null, "name"),
  },
  readFailure,
};
