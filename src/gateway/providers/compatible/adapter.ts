import { isObject, parseObject, readText } from "../answer.ts";
import { readFailure } from "../failure.ts";
import type { HttpAdapter } from "../provider.ts";
import { chat } from "./chat.ts";
import { embeddings } from "./embeddings.ts";
import { headers, operationUrl } from "./request.ts";

/** Every vendor that speaks OpenAI's dialect; what sets them apart is a row of presets.ts. */
export const compatible: HttpAdapter = {
  transport: "http",
  kind: "openai-compatible",
  embeddings,
  chat,
  models: {
    toRequest: (upstream) => ({
      method: "GET",
      url: operationUrl(upstream, "models"),
      headers: headers(upstream),
      body: null,
    }),
    readAnswer(body) {
      // Together answers with the bare list.
      const list: unknown = body.trimStart().startsWith("[") ? JSON.parse(body) : parseObject(body)["data"];
      return Array.isArray(list) ? list.flatMap((entry) => (isObject(entry) ? (readText(entry["id"]) ?? []) : [])) : [];
    },
  },
  readFailure,
};
