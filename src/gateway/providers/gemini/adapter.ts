import { isObject, parseObject, readText } from "../answer.ts";
import { readFailure } from "../failure.ts";
import type { HttpAdapter } from "../provider.ts";
import { chat } from "./chat.ts";
import { embeddings } from "./embeddings.ts";
import { headers } from "./request.ts";

export const gemini: HttpAdapter = {
  transport: "http",
  kind: "gemini",
  embeddings,
  chat,
  models: {
    toRequest: (upstream) => ({
      method: "GET",
      url: `${upstream.baseUrl}/models?pageSize=1000`,
      headers: headers(upstream),
      body: null,
    }),
    readAnswer(body) {
      const list = parseObject(body)["models"];
      if (!Array.isArray(list)) return [];
      return list.flatMap((entry) =>
        isObject(entry) ? (readText(entry["name"])?.replace(/^models\//, "") ?? []) : [],
      );
    },
  },
  readFailure,
};
