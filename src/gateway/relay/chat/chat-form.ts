import { errorStatus } from "#contract/errors.ts";
import { takeTurns } from "../../turns.ts";
import { writeJsonInTurns } from "../../write-json.ts";
import type { CallerForm, FormedCall, StreamWriter } from "../caller-form.ts";
import { asAsked } from "./answer-form.ts";
import { chunkFrame, errorFrame, frame } from "./frames.ts";
import { readChatRequest } from "./request.ts";
import { routingReport } from "./routing-report.ts";

/** The public API's own form: https://platform.openai.com/docs/api-reference/chat */
export const chatForm: CallerForm = {
  apiType: "completions",
  read: ({ body }, defaultModel, turn) => readChatRequest(body, defaultModel, turn),
  statusOf: (type) => errorStatus[type],
  headers: () => ({}),
  async whole(run, { candidate, result, settled, isLong }) {
    const { context } = run;
    const { created } = result;
    const body = {
      system_fingerprint: null,
      ...asAsked(result, run),
      created: Number.isSafeInteger(created) ? created : Math.floor(context.createdAt.getTime() / 1_000),
      id: context.id,
      object: "chat.completion",
      model: candidate.model.id,
      provider: candidate.provider.name,
      usage: settled.usage,
      ...routingReport(run, candidate),
    };
    if (!isLong) return JSON.stringify(body);
    return await writeJsonInTurns(body, takeTurns(context.call.credential.hash, { patient: true }));
  },
  stream: chatWriter,
};

/**
 * The choice of the chunk with the usage, as recorded of the public API in github.com/speakeasy-api/gram/pull/921: some of
 * its clients, such as `@langchain/openrouter`, read no chunk without a choice.
 */
const nothingMore = {
  index: 0,
  delta: { role: "assistant", content: "" },
  finish_reason: null,
  native_finish_reason: null,
  logprobs: null,
};

function chatWriter(run: FormedCall): StreamWriter {
  return {
    silence: () => ": GATEHOUSE PROCESSING\n\n",
    async *event(candidate, { size }, chunks) {
      for (const chunk of chunks) yield* chunkFrame(run, candidate, chunk, size);
    },
    *end(candidate, { usage }) {
      yield frame(run, candidate.model.id, { choices: [nothingMore], usage, ...routingReport(run, candidate) });
      yield "data: [DONE]\n\n";
    },
    *error(model, error) {
      yield errorFrame(run, model, error);
    },
  };
}
