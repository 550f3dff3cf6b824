import { CompletionBody } from "#contract/completions.ts";
import { errorStatus } from "#contract/errors.ts";
import { invalidMembers } from "../../domain/refusal.ts";
import { isObject, type JsonObject, readText } from "../../providers/answer.ts";
import { contentText } from "../../providers/messages.ts";
import type { ChatObject } from "../../providers/provider.ts";
import { isShortJson } from "../../read-json.ts";
import { takeTurns, type Turn } from "../../turns.ts";
import { writeJsonInTurns } from "../../write-json.ts";
import type { CallerForm, FormedCall, StreamWriter } from "../caller-form.ts";
import { readBody } from "../read-body.ts";
import { errorMembers, longFrame } from "./frames.ts";
import { chatRequestOf, mostValues } from "./request.ts";
import { routingReport } from "./routing-report.ts";

/** OpenAI's form before there was chat: https://platform.openai.com/docs/api-reference/completions */
export const completionsForm: CallerForm = {
  apiType: "completions",
  operation: "text_completion",

  async read({ body: bytes }, defaultModel, turn) {
    const json = await readBody(bytes, turn, mostValues);
    if (!isShortJson(bytes)) await turn.next();
    const checked = CompletionBody.safeParse(json);
    if (!checked.success) throw invalidMembers(checked.error.issues);
    const content = [checked.data.prompt].flat().join("");
    return await chatRequestOf(asChat(json, content), defaultModel, turn);
  },

  statusOf: (type) => errorStatus[type],
  headers: () => ({}),

  async whole(run, { candidate, result, settled, isLong }) {
    const body = {
      ...framed(run, candidate.model.id, result),
      provider: candidate.provider.name,
      usage: settled.usage,
      ...routingReport(run, candidate),
    };
    return isLong ? await writeJsonInTurns(body, turnOf(run)) : JSON.stringify(body);
  },

  stream: writer,
};

const turnOf = ({ context }: FormedCall): Turn => takeTurns(context.call.credential.hash, { patient: true });

/** Members that chat has not, or in another form. */
const notInChat = new Set(["prompt", "echo", "suffix", "logprobs", "tools", "functions", "function_call"]);

/** The prompt as the one message of a chat. */
function asChat(json: Readonly<JsonObject>, content: string): JsonObject {
  const members = Object.entries(json).filter(([name]) => !notInChat.has(name));
  return { ...Object.fromEntries(members), messages: [{ role: "user", content }] };
}

function writer(run: FormedCall): StreamWriter {
  return {
    silence: () => ": GATEHOUSE PROCESSING\n\n",
    async *event({ model }, _, chunks) {
      for (const chunk of chunks.filter(says)) yield* longFrame(run, "data: ", framed(run, model.id, chunk));
    },
    async *end(candidate, { usage }) {
      const last = { ...framed(run, candidate.model.id, { choices: [] }), usage, ...routingReport(run, candidate) };
      yield* longFrame(run, "data: ", last);
      yield "data: [DONE]\n\n";
    },
    async *error(model, error) {
      const choices = [{ index: 0, text: "", finish_reason: "error", logprobs: null }];
      const data = { ...framed(run, model, { choices: [] }), choices, error: errorMembers(run, error) };
      yield* longFrame(run, "data: ", data);
    },
  };
}

/** Whether a chunk has text or an end; what a model thinks has no place here. */
function says({ choices }: ChatObject): boolean {
  return choices.some((choice) => textOf(choice) !== "" || readText(choice["finish_reason"]) !== null);
}

function framed({ context }: FormedCall, model: string, { choices, created }: ChatObject) {
  return {
    id: context.id,
    object: "text_completion",
    created: Number.isSafeInteger(created) ? created : Math.floor(context.createdAt.getTime() / 1_000),
    model,
    choices: choices.map((choice, at) => ({
      index: choice["index"] ?? at,
      text: textOf(choice),
      finish_reason: choice["finish_reason"] ?? null,
      logprobs: null,
    })),
  };
}

function textOf({ message, delta }: Readonly<JsonObject>): string {
  const said = message ?? delta;
  return isObject(said) ? contentText(said["content"]) : "";
}
