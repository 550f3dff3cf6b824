import { fitsInto } from "../../json-weight.ts";
import { isObject, readCount, readText, typeName, type JsonObject } from "../../providers/answer.ts";
import { given } from "../../providers/messages.ts";
import { mostArguments } from "#contract/conversation-bounds.ts";
import type { Turn } from "../../turns.ts";
import { isAsked } from "../chat/bounds.ts";
import { assistantMessage, type ChatForm } from "../chat/conversation.ts";
import { blocksOf, sourceOf, textOf } from "./blocks.ts";
import { callOfId } from "../signed-call-id.ts";
import { unsigned } from "./unsigned.ts";

/**
 * Puts a request into the public chat form. What has no place there is left out (docs/messages.md lists it); what the
 * answer would be wrong without is named.
 */
export async function toChat(body: Readonly<JsonObject>, turn: Turn): Promise<ChatForm> {
  const writer = new ChatWriter();
  writer.system(body["system"]);
  for (const message of Array.isArray(body["messages"]) ? body["messages"].filter(isObject) : []) {
    writer.message(message);
    if (turn.isOver()) await turn.next();
  }
  const { messages } = writer;
  const tools = writer.tools(body["tools"]);
  const choice = writer.choice(body["tool_choice"]);
  writer.refuse(body);
  return { messages, body: { ...members(body, tools, choice), messages }, untranslatable: writer.untranslatable };
}

function members(body: Readonly<JsonObject>, tools: readonly JsonObject[], choice: JsonObject): JsonObject {
  const stop = Array.isArray(body["stop_sequences"]) ? body["stop_sequences"].slice(0, mostStops) : [];
  const tier = body["service_tier"];
  const made: JsonObject = {
    model: body["model"],
    stream: body["stream"],
    temperature: body["temperature"],
    top_p: body["top_p"],
    top_k: body["top_k"],
    stop: stop.length > 0 ? stop : undefined,
    ...(tools.length > 0 ? { tools, ...choice } : {}),
    response_format: responseFormat(body),
    reasoning: reasoning(body),
    service_tier: tier === "flex" || tier === "priority" ? tier : undefined,
  };
  return given(made);
}

/** OpenAI takes no more: https://platform.openai.com/docs/api-reference/chat/create */
const mostStops = 4;

const modes: ReadonlyMap<string, string> = new Map(Object.entries({ auto: "auto", any: "required", none: "none" }));

/** Undefined for what is no choice of this dialect. */
function toolChoice(choice: unknown): JsonObject | undefined {
  if (choice === undefined || choice === null) return {};
  const { type, name, disable_parallel_tool_use: alone } = isObject(choice) ? choice : {};
  const single = alone === true ? { parallel_tool_calls: false } : {};
  if (type === "tool" && typeof name === "string") {
    return { tool_choice: { type: "function", function: { name } }, ...single };
  }
  const mode = modes.get(readText(type) ?? "");
  return mode === undefined ? undefined : { tool_choice: mode, ...single };
}

function responseFormat({ output_config: config, output_format: older }: Readonly<JsonObject>): unknown {
  const format = isObject(config) && isObject(config["format"]) ? config["format"] : older;
  if (!isObject(format) || format["type"] !== "json_schema") return undefined;
  return { type: "json_schema", json_schema: { name: "answer", strict: true, schema: format["schema"] } };
}

/** https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking, and /effort */
function reasoning({ thinking, output_config: config }: Readonly<JsonObject>): unknown {
  const effort = isObject(config) ? readText(config["effort"]) : null;
  const type = isObject(thinking) ? thinking["type"] : null;
  if (type === "disabled") return undefined;
  const budget = isObject(thinking) ? readCount(thinking["budget_tokens"]) : null;
  if (type === "enabled" && budget !== null) return { max_tokens: budget };
  if (effort !== null) return { effort };
  return type === "adaptive" || type === "enabled" ? { enabled: true } : undefined;
}

/** Blocks of an earlier answer that only its own provider can read. */
const ownBlocks = /^(?:server_tool_use|mcp_tool_use|.+_tool_result|tool_addition|tool_removal|fallback)$/;
const mediaType = /^[a-z]{1,20}\/[\w.+-]{1,100}$/i;

/** Writes one conversation. */
class ChatWriter {
  readonly messages: JsonObject[] = [];
  untranslatable: string | null = null;
  /** characters of tool calls that may still be written */
  private room = mostArguments;

  system(system: unknown): void {
    const text = textOf(system);
    if (text !== "") this.messages.push({ role: "system", content: text });
  }

  message({ role, content }: JsonObject): void {
    if (role === "system") this.system(content);
    else if (role === "assistant") this.assistant(blocksOf(content));
    else this.user(blocksOf(content));
  }

  tools(tools: unknown): JsonObject[] {
    if (!Array.isArray(tools)) return [];
    return tools.filter(isObject).flatMap((tool) => {
      const { type, name, description, input_schema: schema, strict } = tool;
      if (type !== undefined && type !== null && type !== "custom") {
        this.cannot(`tools of type ${typeName(type)}`);
        return [];
      }
      const called: JsonObject = {
        name,
        parameters: isObject(schema) ? { type: "object", ...schema } : { type: "object" },
      };
      if (typeof description === "string") called["description"] = description;
      if (typeof strict === "boolean") called["strict"] = strict;
      return [{ type: "function", function: called }];
    });
  }

  choice(choice: unknown): JsonObject {
    const read = toolChoice(choice);
    if (read === undefined)
      this.cannot(`a tool_choice of type ${typeName(isObject(choice) ? choice["type"] : choice)}`);
    return read ?? {};
  }

  /** Members without which the answer would be another one, or break a promise. */
  refuse(body: Readonly<JsonObject>): void {
    for (const member of ["mcp_servers", "container", "inference_geo"]) {
      if (isAsked(body[member])) this.cannot(member);
    }
  }

  /** Results of tools come before all else that the user says: each has to follow the call that it answers. */
  private user(blocks: readonly JsonObject[]): void {
    const parts: JsonObject[] = [];
    for (const block of blocks) {
      if (block["type"] === "tool_result") this.toolResult(block, parts);
    }
    for (const block of blocks) {
      if (block["type"] !== "tool_result") parts.push(...this.parts(block));
    }
    const [first] = parts;
    if (first === undefined) return;
    const isText = parts.length === 1 && first["type"] === "text";
    this.messages.push({ role: "user", content: isText ? first["text"] : parts });
  }

  /** @param parts what the user says next: a tool's answer has no room for images */
  private toolResult(block: JsonObject, parts: JsonObject[]): void {
    const texts: string[] = [];
    for (const each of blocksOf(block["content"])) {
      if (each["type"] === "tool_reference") texts.push(`The tool ${readText(each["tool_name"]) ?? ""}`);
      else {
        for (const part of this.parts(each)) {
          if (part["type"] === "text") texts.push(String(part["text"]));
          else parts.push(part);
        }
      }
    }
    const text = texts.join("\n\n");
    const content = block["is_error"] === true ? `Error: ${text}` : text;
    this.messages.push({ role: "tool", tool_call_id: callOfId(block["tool_use_id"])["id"], content });
  }

  private parts(block: JsonObject): JsonObject[] {
    switch (block["type"]) {
      case "text":
        return readText(block["text"]) === null ? [] : [{ type: "text", text: block["text"] }];
      case "image": {
        const url = this.address(sourceOf(block), "images");
        return url === null ? [] : [{ type: "image_url", image_url: { url } }];
      }
      case "document":
        return this.document(block);
      case "search_result": {
        const heading = [block["title"], block["source"]].filter((each) => typeof each === "string").join("\n");
        return [{ type: "text", text: `${heading}\n\n${textOf(block["content"])}` }];
      }
      default:
        this.cannot(`blocks of type ${typeName(block["type"])}`);
        return [];
    }
  }

  private document(block: JsonObject): JsonObject[] {
    const source = sourceOf(block);
    const title = readText(block["title"]);
    const heading = [block["title"], block["context"]].filter((each) => typeof each === "string" && each !== "");
    if (source["type"] === "text") {
      return [{ type: "text", text: [...heading, readText(source["data"]) ?? ""].join("\n\n") }];
    }
    if (source["type"] === "content") {
      const within = blocksOf(source["content"]).flatMap((each) => this.parts(each));
      return [...heading.map((text) => ({ type: "text", text })), ...within];
    }
    const data = this.address(source, "documents");
    return data === null ? [] : [{ type: "file", file: { filename: title ?? "document.pdf", file_data: data } }];
  }

  private address(source: JsonObject, what: string): string | null {
    const { type, media_type: media, data, url } = source;
    if (type === "url" && typeof url === "string") return url;
    if (type === "base64" && typeof data === "string" && typeof media === "string" && mediaType.test(media)) {
      return `data:${media};base64,${data}`;
    }
    this.cannot(type === "file" ? `${what} by the id of a file` : `${what} with a source like that`);
    return null;
  }

  private assistant(blocks: readonly JsonObject[]): void {
    const texts: string[] = [];
    const calls: JsonObject[] = [];
    const thoughts: JsonObject[] = [];
    blocks.forEach((block, index) => {
      const format = { format: "anthropic-claude-v1", index };
      switch (block["type"]) {
        case "text":
          texts.push(readText(block["text"]) ?? "");
          break;
        case "compaction":
          texts.push(readText(block["content"]) ?? "");
          break;
        case "tool_use":
          calls.push(this.call(block));
          break;
        case "thinking":
          // Without a signature it is another model's, and for vendors that read plain thoughts alone.
          if (readText(block["signature"]) && block["signature"] !== unsigned) {
            thoughts.push({
              type: "reasoning.text",
              text: block["thinking"],
              signature: block["signature"],
              ...format,
            });
          } else if (readText(block["thinking"])) {
            thoughts.push({ type: "reasoning.text", text: block["thinking"], format: "unknown", index });
          }
          break;
        case "redacted_thinking":
          thoughts.push({ type: "reasoning.encrypted", data: block["data"], ...format });
          break;
        default:
          if (!ownBlocks.test(typeName(block["type"]))) {
            this.cannot(`blocks of type ${typeName(block["type"])}`);
          }
      }
    });
    this.messages.push(assistantMessage({ texts, calls, thoughts }));
  }

  private call({ id, name, input }: JsonObject): JsonObject {
    let text = "{}";
    if (fitsInto(input, this.room)) text = JSON.stringify(input ?? {});
    else this.cannot("tool calls of more than 1 MB");
    this.room -= text.length;
    return { ...callOfId(id), type: "function", function: { name, arguments: text } };
  }

  private cannot(what: string): void {
    this.untranslatable ??= what;
  }
}
