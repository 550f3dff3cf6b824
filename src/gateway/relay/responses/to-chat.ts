import { mostArguments } from "#contract/conversation-bounds.ts";
import { isObject, readText, typeName, type JsonObject } from "../../providers/answer.ts";
import type { Turn } from "../../turns.ts";
import { assistantMessage, type ChatForm } from "../chat/conversation.ts";
import { itemsOf, itemType, partsOf } from "./items.ts";
import { callOfId } from "../signed-call-id.ts";

/**
 * Puts a request into the public chat form. What has no place there is left out (docs/responses.md lists it); what the
 * answer would be wrong without is named.
 */
export async function toChat(body: Readonly<JsonObject>, turn: Turn): Promise<ChatForm> {
  const writer = new ChatWriter();
  const instructions = readText(body["instructions"]) ?? "";
  if (instructions !== "") writer.messages.push({ role: "system", content: instructions });
  for (const item of itemsOf(body["input"])) {
    writer.item(item);
    if (turn.isOver()) await turn.next();
  }
  writer.endTurn();
  const tools = writer.tools(body);
  if (isObject(body["prompt"])) writer.cannot("prompts that the provider keeps");
  const { messages } = writer;
  return { messages, body: { ...members(body, tools), messages }, untranslatable: writer.untranslatable };
}

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
  return Object.fromEntries(Object.entries(made).filter(([, value]) => value !== undefined && value !== null));
}

function responseFormat(format: unknown): unknown {
  if (!isObject(format)) return undefined;
  if (format["type"] === "json_object") return { type: "json_object" };
  if (format["type"] !== "json_schema") return undefined;
  const { type: _, ...schema } = format;
  return { type: "json_schema", json_schema: withoutNulls(schema) };
}

function reasoning(asked: unknown): unknown {
  if (!isObject(asked)) return undefined;
  const { effort, max_tokens: budget, enabled, exclude } = asked;
  const made = withoutNulls({ effort, max_tokens: budget, enabled, exclude });
  return Object.keys(made).length === 0 ? undefined : made;
}

const withoutNulls = (value: JsonObject) =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null && each !== undefined));

/** Items of an earlier answer that tell of tools which its own provider ran. */
const ownItems =
  /^(?:(?:web_search|file_search|code_interpreter|image_generation|mcp|tool_search)_call|mcp_list_tools|openrouter:.+)$/;
const details = new Set<unknown>(["auto", "low", "high"]);

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

  item(item: JsonObject): void {
    const type = itemType(item);
    if (type !== "function_call_output") this.show();
    switch (type) {
      case "message":
        return this.message(item);
      case "function_call":
        return this.call(item);
      case "function_call_output":
        return this.toolOutput(item);
      case "reasoning":
        return this.thought(item);
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

  private call({ call_id: id, name, arguments: given }: JsonObject): void {
    const text = readText(given) ?? "";
    this.room -= text.length;
    if (this.room < 0) return this.cannot("tool calls of more than 1 MB");
    this.turn.calls.push({ ...callOfId(id), type: "function", function: { name, arguments: text } });
  }

  private toolOutput({ call_id: id, output }: JsonObject): void {
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
    const format = readText(item["format"]);
    const isSigned = typeof signature === "string" && signature !== "";
    const text = [item["content"], item["summary"]]
      .flat()
      .filter(isObject)
      .flatMap((part) => readText(part["text"]) ?? [])
      .join("");
    if (isSigned || text !== "") {
      thoughts.push({
        type: "reasoning.text",
        text,
        ...(isSigned ? { signature } : {}),
        format: format ?? (isSigned ? "anthropic-claude-v1" : "unknown"),
        index: thoughts.length,
      });
    }
    if (typeof data === "string" && data !== "") {
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
  tools({ tools, tool_choice: choice, parallel_tool_calls: parallel }: Readonly<JsonObject>): JsonObject {
    const all = Array.isArray(tools) ? tools.filter(isObject).flatMap((tool) => this.tool(tool)) : [];
    const chosen = this.choice(choice);
    const offered = chosen.only === null ? all : all.filter(({ function: called }) => chosen.only?.has(nameOf(called)));
    if (offered.length === 0) return {};
    return {
      tools: offered,
      ...(chosen.choice === undefined ? {} : { tool_choice: chosen.choice }),
      ...(typeof parallel === "boolean" ? { parallel_tool_calls: parallel } : {}),
    };
  }

  private tool({ type, name, description, parameters, strict }: JsonObject): JsonObject[] {
    if (type !== "function") {
      this.cannot(`tools of type ${typeName(type)}`);
      return [];
    }
    const called = withoutNulls({ name, description, parameters, strict });
    return [{ type: "function", function: called }];
  }

  private choice(choice: unknown): { readonly choice?: unknown; readonly only: ReadonlySet<unknown> | null } {
    if (typeof choice === "string") return { choice, only: null };
    if (!isObject(choice)) return { only: null };
    const { type, name, mode, tools } = choice;
    if (type === "function") return { choice: { type: "function", function: { name } }, only: null };
    if (type !== "allowed_tools") {
      this.cannot(`a tool_choice of type ${typeName(type)}`);
      return { only: null };
    }
    const only = new Set(Array.isArray(tools) ? tools.map(nameOf) : []);
    return { choice: readText(mode) ?? "auto", only };
  }

  cannot(what: string): void {
    this.untranslatable ??= what;
  }
}

const nameOf = (called: unknown) => (isObject(called) ? called["name"] : undefined);
