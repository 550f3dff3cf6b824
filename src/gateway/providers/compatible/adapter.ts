import { isObject, modelNames } from "../answer.ts";
import { messagesElsewhere } from "../anthropic/passed.ts";
import { readFailure } from "../failure.ts";
import { openAiFiles } from "../files.ts";
import type { HttpAdapter } from "../provider.ts";
import { responses } from "../responses/passed.ts";
import { chat } from "./chat.ts";
import { embeddings } from "./embeddings.ts";
import { images } from "./images.ts";
import { rerank } from "./rerank.ts";
import { headers, operationUrl } from "./request.ts";
import { speech } from "./speech.ts";
import { transcription } from "./transcription.ts";
import { videos } from "./videos.ts";

/** Every vendor that speaks OpenAI's dialect; their differences are rows of presets.ts. */
export const compatible: HttpAdapter = {
  transport: "http",
  kind: "openai-compatible",
  embeddings,
  chat,
  rerank,
  speech,
  transcription,
  images,
  videos,
  files: openAiFiles,
  passed: { messages: messagesElsewhere, responses },
  models: {
    toRequest: (upstream) => ({
      method: "GET",
      url: operationUrl(upstream, "models"),
      headers: headers(upstream),
      body: null,
    }),
    // Together and ElevenLabs answer with the bare list.
    readAnswer(answer) {
      const list = isObject(answer) ? answer["data"] : answer;
      const isElevenLabs = Array.isArray(list) && isObject(list[0]) && "model_id" in list[0];
      return modelNames(list, isElevenLabs ? "model_id" : "id");
    },
  },
  readFailure,
};
