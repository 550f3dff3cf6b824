import { isObject, parseObject, readText } from "../answer.ts";
import { readFailure } from "../failure.ts";
import type { HttpAdapter } from "../provider.ts";
import { chat, headers } from "./chat.ts";

/** Anthropic offers no embeddings. */
export const anthropic: HttpAdapter = {
  transport: "http",
  kind: "anthropic",
  embeddings: null,
  chat,
  models: {
    toRequest: (upstream) => ({
      method: "GET",
      url: `${upstream.baseUrl}/models?limit=1000`,
      headers: headers(upstream),
      body: null,
    }),
    readAnswer(body) {
      const list = parseObject(body)["data"];
      return Array.isArray(list) ? list.flatMap((entry) => (isObject(entry) ? (readText(entry["id"]) ?? []) : [])) : [];
    },
  },
  readFailure,
};
