import { isObject, modelNames } from "../answer.ts";
import { messagesElsewhere } from "../anthropic/passed.ts";
import { readFailure } from "../failure.ts";
import type { HttpAdapter } from "../provider.ts";
import { responses } from "../responses/passed.ts";
import { chat } from "./chat.ts";
import { embeddings } from "./embeddings.ts";
import { rerank } from "./rerank.ts";
import { headers, operationUrl } from "./request.ts";

/** Every vendor that speaks OpenAI's dialect; their differences are rows of presets.ts. */
export const compatible: HttpAdapter = {
  transport: "http",
  kind: "openai-compatible",
  embeddings,
  chat,
  rerank,
  passed: { messages: messagesElsewhere, responses },
  models: {
    toRequest: (upstream) => ({
      method: "GET",
      url: operationUrl(upstream, "models"),
      headers: headers(upstream),
      body: null,
    }),
    // Together answers with the bare list.
    readAnswer: (answer) => modelNames(isObject(answer) ? answer["data"] : answer, "id"),
  },
  readFailure,
};
