import { isObject, modelNames } from "../answer.ts";
import { readFailure } from "../failure.ts";
import type { HttpAdapter } from "../provider.ts";
import { chat } from "./chat.ts";
import { embeddings } from "./embeddings.ts";
import { images } from "./images.ts";
import { headers } from "./request.ts";
import { videos } from "./videos.ts";

export const gemini: HttpAdapter = {
  transport: "http",
  kind: "gemini",
  embeddings,
  chat,
  rerank: null,
  speech: null,
  transcription: null,
  images,
  videos,
  models: {
    toRequest: (upstream) => ({
      method: "GET",
      url: `${upstream.baseUrl}/models?pageSize=1000`,
      headers: headers(upstream),
      body: null,
    }),
    readAnswer: (answer) =>
      modelNames(isObject(answer) ? answer["models"] : null, "name").map((name) => name.replace(/^models\//, "")),
  },
  readFailure,
};
