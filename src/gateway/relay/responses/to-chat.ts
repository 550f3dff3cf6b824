import { mostArguments } from "#contract/conversation-bounds.ts";
import { isObject, readText, typeName, type JsonObject } from "../../providers/answer.ts";
import { given } from "../../providers/messages.ts";
import { fitsInto } from "../../json-weight.ts";
import type { Turn } from "../../turns.ts";
import { assistantMessage, type ChatForm } from "../chat/conversation.ts";
import { isCarried, thoughtCarriedBy } from "../../carried-thought.ts";
import { isGiven, isSearchByCaller, itemsOf, itemType, locatedTools, partsOf } from "./items.ts";
import { functionName, offeredTools, type OfferedTools } from "./tools.ts";
import { callOfId } from "../signed-call-id.ts";

/**
 * Puts a request into the public chat form. What has no place there is left out (docs/responses.md lists it); what the
 * answer would be wrong without is named.
 */
export async function toChat(body: Readonly<JsonObject>, turn: Turn): Promise<ChatForm> {
  const tools = offeredTools(body);
  const writer = new ChatWriter(tools);
  const instructions = readText(body["instructions"]) ?? "";
  if (instructions !== "") writer.messages.push({ role: "system", content: instructions });
  for (const item of itemsOf(body["input"])) {
    writer.item(item);
    if (turn.isOver()) await turn.next();
  }
  writer.endTurn();
  const chosen = writer.chosen(body);
  if (isObject(body["prompt"])) writer.cannot("prompts that the provider keeps");
  const { messages } = writer;
  return { messages, body: { ...members(updated(body), chosen), messages }, untranslatable: writer.untranslatable };
}

/** The request with the settings that its items have changed since: the latest count. */
function updated(body: Readonly<JsonObject>): Readonly<JsonObject> {
  const updates = itemsOf(body["input"]).filter((item) => itemType(item) === "configuration_update");
  return updates.reduce<Readonly<JsonObject>>(
    (before, { reasoning, text }) => ({
      ...before,
      ...(isObject(reasoning) ? { reasoning: { ...objectOr(before["reasoning"]), ...reasoning } } : {}),
      ...(isObject(text) ? { text: { ...objectOr(before["text"]), ...text } } : {}),
    }),
    body,
  );
}

const objectOr = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** Members that have the same name and meaning in both forms. */
const shared = [
  "model",
  "stream",
  "temperature",
  "top_p",
  "top_k",
  "frequency_penalty",
  "presence_penalty",
  "top_logprobs",
  "user",
  "safety_identifier",
  "prompt_cache_key",
  "prompt_cache_retention",
  "prompt_cache_options",
  "modalities",
  "image_config",
] as const;

function members(body: Readonly<JsonObject>, tools: JsonObject): JsonObject {
  const { text, service_tier: tier, top_logprobs: alternatives, include } = body;
  const asksLogprobs = Array.isArray(include) && include.includes("message.output_text.logprobs");
  const made: JsonObject = {
    ...Object.fromEntries(shared.map((name) => [name, body[name]])),
    ...tools,
    logprobs: asksLogprobs || (typeof alternatives === "number" && alternatives > 0) ? true : undefined,
    response_format: responseFormat(isObject(text) ? text["format"] : null),
    verbosity: isObject(text) ? text["verbosity"] : undefined,
    reasoning: reasoning(body["reasoning"]),
    service_tier: tier === "flex" || tier === "priority" ? tier : undefined,
  };
  return given(made);
}

function responseFormat(format: unknown): unknown {
  if (!isObject(format)) return undefined;
  if (format["type"] === "json_object") return { type: "json_object" };
  if (format["type"] !== "json_schema") return undefined;
  const { type: _, ...schema } = format;
  return { type: "json_schema", json_schema: given(schema) };
}

function reasoning(asked: unknown): unknown {
  if (!isObject(asked)) return undefined;
  const { effort, max_tokens: budget, enabled, exclude } = asked;
  const made = given({ effort, max_tokens: budget, enabled, exclude });
  return Object.keys(made).length === 0 ? undefined : made;
}

/** Items of an earlier answer that tell of tools which its own provider ran. */
const ownItems =
  /^(?:(?:web_search|file_search|code_interpreter|image_generation|mcp)_call|mcp_list_tools|openrouter:.+)$/;
const details = new Set<unknown>(["auto", "low", "high"]);

const outputs: ReadonlySet<string> = new Set(["function_call_output", "custom_tool_call_output", "tool_search_output"]);

/** What a search found, for the model that asked. */
function foundIn(tools: unknown): string {
  const names = [...locatedTools({ tools })].flatMap(({ tool }) =>
    tool["type"] === "namespace" ? [] : (readText(tool["name"]) ?? []),
  );
  return names.length === 0 ? "No tools were found." : `These tools can be called now: ${names.join(", ")}`;
}

/** Writes one conversation. */
class ChatWriter {
  readonly messages: JsonObject[] = [];
  untranslatable: string | null = null;
  /** characters of tool calls that may still be written */
  private room = mostArguments;
  /** what the model said in one turn, as far as it was read */
  private said: { texts: string[]; calls: JsonObject[]; thoughts: JsonObject[] } | null = null;
  /** what tools answered that has no place in their messages, for the one after them */
  private shown: JsonObject[] = [];
  private readonly tools: OfferedTools;

  constructor(tools: OfferedTools) {
    this.tools = tools;
  }

  item(item: JsonObject): void {
    const type = itemType(item);
    if (!outputs.has(type)) this.show();
    switch (type) {
      case "message":
        return this.message(item);
      case "function_call":
        return this.call(item, item["arguments"]);
      case "custom_tool_call":
        return this.call(item, { input: readText(item["input"]) ?? "" });
      case "tool_search_call":
        // A provider's own search is answered within its answer.
        if (isSearchByCaller(item)) this.call({ ...item, name: "tool_search" }, item["arguments"] ?? {});
        return;
      case "function_call_output":
      case "custom_tool_call_output":
        return this.toolOutput(item, item["output"]);
      case "tool_search_output":
        // What it found is among the tools.
        if (isSearchByCaller(item)) this.toolOutput(item, foundIn(item["tools"]));
        return;
      case "reasoning":
        return this.thought(item);
      case "additional_tools":
      case "configuration_update":
        // Its tools are among the others, and its settings among those of the request.
        return;
      default:
        if (!ownItems.test(type)) this.cannot(`items of type ${type}`);
    }
  }

  /** What the model said is one message: its thoughts, its text and its calls. */
  endTurn(): void {
    this.show();
    this.endAssistant();
  }

  private endAssistant(): void {
    if (this.said === null) return;
    const { said } = this;
    this.said = null;
    if (said.texts.length + said.calls.length + said.thoughts.length === 0) return;
    this.messages.push(assistantMessage(said));
  }

  private get turn() {
    return (this.said ??= { texts: [], calls: [], thoughts: [] });
  }

  private message({ role, content }: JsonObject): void {
    if (role === "assistant") {
      // Each message that the model wrote is one of its own, with the thoughts before it.
      if (this.turn.texts.length + this.turn.calls.length > 0) this.endAssistant();
      const texts = partsOf(content).map((part) => readText(part["text"]) ?? readText(part["refusal"]) ?? "");
      this.turn.texts.push(...texts);
      return;
    }
    this.endAssistant();
    const given = typeof content === "string" ? content : null;
    const parts = given === null ? partsOf(content).flatMap((part) => this.parts(part)) : [];
    const isSystem = role === "system" || role === "developer";
    if (!isSystem && role !== "user") return this.cannot(`messages of the role ${typeName(role)}`);
    const [first] = parts;
    const isText = parts.length === 1 && first?.["type"] === "text";
    const said = given ?? (isText ? first?.["text"] : parts);
    if (said === "" || parts.length + (given?.length ?? 0) === 0) return;
    this.messages.push({ role: isSystem ? "system" : "user", content: said });
  }

  private call({ call_id: id, name, namespace }: JsonObject, given: unknown): void {
    const fits = fitsInto(given, this.room);
    if (!fits) return this.cannot("tool calls of more than 1 MB");
    const text = isObject(given) ? JSON.stringify(given) : (readText(given) ?? "");
    this.room -= text.length;
    this.turn.calls.push({
      ...callOfId(id),
      type: "function",
      function: { name: functionName(this.tools, name, namespace), arguments: text },
    });
  }

  private toolOutput({ call_id: id }: JsonObject, output: unknown): void {
    this.endAssistant();
    const texts: string[] = [];
    for (const part of partsOf(output).flatMap((each) => this.parts(each))) {
      if (part["type"] === "text") texts.push(String(part["text"]));
      else this.shown.push(part);
    }
    this.messages.push({ role: "tool", tool_call_id: callOfId(id)["id"], content: texts.join("\n\n") });
  }

  private show(): void {
    if (this.shown.length === 0) return;
    this.messages.push({ role: "user", content: this.shown });
    this.shown = [];
  }

  /** Without a signature it is another model's, and for vendors that read plain thoughts alone. */
  private thought(item: JsonObject): void {
    if (this.turn.texts.length + this.turn.calls.length > 0) this.endAssistant();
    const { thoughts } = this.turn;
    const { signature, encrypted_content: data, id } = item;
    const carried = isCarried(data) ? thoughtCarriedBy(data) : null;
    if (carried !== null) {
      thoughts.push({ text: textOf(item), ...carried, index: thoughts.length });
      return;
    }
    const format = readText(item["format"]);
    const isSigned = typeof signature === "string" && signature !== "";
    const text = textOf(item);
    if (isSigned || text !== "") {
      thoughts.push({
        type: "reasoning.text",
        text,
        ...(isSigned ? { signature } : {}),
        format: format ?? (isSigned ? "anthropic-claude-v1" : "unknown"),
        index: thoughts.length,
      });
    }
    if (typeof data === "string" && data !== "" && !isCarried(data)) {
      thoughts.push({
        type: "reasoning.encrypted",
        data,
        id,
        format: format ?? "openai-responses-v1",
        index: thoughts.length,
      });
    }
  }

  private parts(part: JsonObject): JsonObject[] {
    switch (part["type"]) {
      case "input_text":
      case "output_text":
      case "text":
        return readText(part["text"]) === null || part["text"] === "" ? [] : [{ type: "text", text: part["text"] }];
      case "input_image":
        return this.image(part);
      case "input_file":
        return this.file(part);
      case "input_audio":
        return [{ type: "input_audio", input_audio: part["input_audio"] }];
      case "input_video":
        return [{ type: "video_url", video_url: { url: part["video_url"] } }];
      default:
        this.cannot(`parts of type ${typeName(part["type"])}`);
        return [];
    }
  }

  private image({ image_url: url, detail }: JsonObject): JsonObject[] {
    if (typeof url !== "string") {
      this.cannot("images by the id of a file");
      return [];
    }
    return [{ type: "image_url", image_url: { url, ...(details.has(detail) && detail !== "auto" ? { detail } : {}) } }];
  }

  private file({ file_data: data, file_url: url, filename }: JsonObject): JsonObject[] {
    const given = readText(data) ?? readText(url);
    if (given === null) {
      this.cannot("files by their ids");
      return [];
    }
    return [{ type: "file", file: { filename: readText(filename) ?? "document.pdf", file_data: given } }];
  }

  /** The tools that may be called, and which of them must be. */
  chosen({ tool_choice: choice, parallel_tool_calls: parallel }: Readonly<JsonObject>): JsonObject {
    const { functions, missing } = this.tools;
    if (missing !== null) this.cannot(missing);
    const { mode, only } = this.choice(choice);
    const offered = only === null ? functions : functions.filter((each) => only.has(functionOf(each)));
    if (offered.length === 0) {
      if (mode !== undefined && mode !== "auto" && mode !== "none")
        this.cannot("a tool_choice of tools that are not there");
      return {};
    }
    return {
      tools: offered,
      ...(mode === undefined ? {} : { tool_choice: mode }),
      ...(typeof parallel === "boolean" ? { parallel_tool_calls: parallel } : {}),
    };
  }

  private choice(choice: unknown): { readonly mode?: unknown; readonly only: ReadonlySet<unknown> | null } {
    if (!isGiven(choice)) return { only: null };
    if (typeof choice === "string" && modes.has(choice)) return { mode: choice, only: null };
    const { type, mode, tools } = isObject(choice) ? choice : { type: choice };
    const name = this.nameOf(choice);
    if (name !== null) return { mode: { type: "function", function: { name } }, only: null };
    if (type !== "allowed_tools" || !Array.isArray(tools) || !modes.has(mode ?? "auto")) {
      this.cannot(`a tool_choice of type ${typeName(type)}`);
      return { only: null };
    }
    return { mode: mode ?? "auto", only: new Set(tools.map((each) => this.nameOf(each))) };
  }

  /** The function that a tool is offered as; null: none. */
  private nameOf(tool: unknown): string | null {
    if (!isObject(tool)) return null;
    const { type, name, namespace } = tool;
    if (type === "tool_search") return functionName(this.tools, type, null);
    return type === "function" || type === "custom" ? functionName(this.tools, name, namespace) : null;
  }

  cannot(what: string): void {
    this.untranslatable ??= what;
  }
}

const modes: ReadonlySet<unknown> = new Set(["auto", "none", "required"]);
const functionOf = ({ function: called }: JsonObject) => (isObject(called) ? called["name"] : undefined);

function textOf({ content, summary }: JsonObject): string {
  const parts = [content, summary].flat().filter(isObject);
  return parts.flatMap((part) => readText(part["text"]) ?? []).join("");
}
