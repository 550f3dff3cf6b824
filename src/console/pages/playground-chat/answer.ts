/** A call of a tool that the model asks for; the playground shows it and runs none. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: string;
}

export interface Usage {
  readonly prompt: number;
  readonly completion: number;
  /** of the completion; null: not said */
  readonly thoughts: number | null;
  /** of the prompt; null: not said */
  readonly cached: number | null;
}

/** A refusal or failure, as far as the gateway says what it was. */
export interface AnswerError {
  /** 0: no answer came, or the connection was lost */
  readonly status: number;
  readonly message: string;
  /** whose money ran out, or what failed; null: not said */
  readonly reason: string | null;
  readonly provider: string | null;
  readonly requestId: string | null;
}

/** `waiting` before the first piece; `stopped` by the person; `lost`: the connection, with what came before. */
export type AnswerState = "waiting" | "streaming" | "done" | "stopped" | "lost" | "failed";

/** What came so far of one model's answer. */
export interface Answer {
  readonly state: AnswerState;
  readonly text: string;
  readonly thoughts: string;
  readonly tools: readonly ToolCall[];
  readonly finish: string | null;
  /** the call's id; null: there is none, as it was refused */
  readonly call: string | null;
  readonly usage: Usage | null;
  /** USD, as settled; null: not known yet, or not at all */
  readonly cost: number | null;
  readonly error: AnswerError | null;
}

export const noAnswer: Answer = {
  state: "waiting",
  text: "",
  thoughts: "",
  tools: [],
  finish: null,
  call: null,
  usage: null,
  cost: null,
  error: null,
};

export const isUnderWay = ({ state }: Pick<Answer, "state">): boolean => state === "waiting" || state === "streaming";

type Members = Readonly<Record<string, unknown>>;
const members = (value: unknown): Members => (typeof value === "object" && value !== null ? (value as Members) : {});
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string => (typeof value === "string" ? value : "");
const maybeText = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);
const figure = (value: unknown): number | null =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : null;

/** The answer with one more event of its stream. What cannot be read is passed over. */
export function grow(answer: Answer, data: string): Answer {
  if (data === "[DONE]") return isUnderWay(answer) ? { ...answer, state: "done" } : answer;
  const chunk = read(data);
  const choice = members(list(chunk["choices"])[0]);
  const delta = members(choice["delta"]);
  const grown: Answer = {
    ...answer,
    state: "streaming",
    call: answer.call ?? maybeText(chunk["id"]),
    text: answer.text + text(delta["content"]) + text(delta["refusal"]),
    thoughts: answer.thoughts + text(delta["reasoning"]),
    tools: list(delta["tool_calls"]).reduce<readonly ToolCall[]>(withTool, answer.tools),
    finish: maybeText(choice["finish_reason"]) ?? answer.finish,
  };
  const used = withUsage(grown, members(chunk["usage"]));
  return chunk["error"] === undefined ? used : { ...used, state: "failed", error: errorIn(members(chunk["error"])) };
}

function read(data: string): Members {
  try {
    return members(JSON.parse(data));
  } catch {
    return {};
  }
}

function withTool(tools: readonly ToolCall[], piece: unknown): readonly ToolCall[] {
  const { index, function: called } = members(piece);
  const at = figure(index) ?? tools.length;
  const before = tools[at] ?? { name: "", arguments: "" };
  const { name, arguments: more } = members(called);
  return tools.toSpliced(at, 1, { name: before.name + text(name), arguments: before.arguments + text(more) });
}

function withUsage(answer: Answer, usage: Members): Answer {
  const [prompt, completion] = [figure(usage["prompt_tokens"]), figure(usage["completion_tokens"])];
  if (prompt === null || completion === null) return answer;
  const thoughts = figure(members(usage["completion_tokens_details"])["reasoning_tokens"]);
  const cached = figure(members(usage["prompt_tokens_details"])["cached_tokens"]);
  return {
    ...answer,
    usage: { prompt, completion, thoughts, cached },
    cost: figure(usage["cost"]) ?? answer.cost,
  };
}

/** Of a chunk that ends a stream, or of an error answer's `error`. */
export function errorIn({ code, message, metadata, availability }: Members): AnswerError {
  const { reason, limit_kind: kind, provider_name: provider, request_id: requestId } = members(metadata);
  return {
    status: figure(code) ?? 0,
    message: text(message),
    reason: maybeText(kind) ?? maybeText(members(availability)["code"]) ?? maybeText(reason),
    provider: maybeText(provider),
    requestId: maybeText(requestId),
  };
}
