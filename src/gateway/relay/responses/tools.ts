import { createHash } from "node:crypto";
import { mostArguments } from "#contract/conversation-bounds.ts";
import { isObject, readText, typeName, type JsonObject } from "../../providers/answer.ts";
import { given } from "../../providers/messages.ts";
import { isTooDeep } from "../../read-json.ts";
import { isGiven, isSearchByCaller } from "./items.ts";

/**
 * A tool of this dialect, which a provider that speaks chat knows as a function.
 * `custom`: its input is a text; `tool_search`: the caller looks for further tools.
 */
export interface CalledTool {
  readonly kind: "function" | "custom" | "tool_search";
  readonly name: string;
  readonly namespace: string | null;
}

/** The tools of a request for a provider that speaks chat. */
export interface OfferedTools {
  readonly functions: readonly JsonObject[];
  /** by the names of the functions */
  readonly called: ReadonlyMap<string, CalledTool>;
  /** the names of the functions, by `keyOf` */
  readonly names: ReadonlyMap<string, string>;
  /** why the request cannot do with these; null: it can */
  readonly missing: string | null;
}

/** https://platform.openai.com/docs/api-reference/chat/create: what names of functions are made of, and how long they may be. */
const longestName = 64;

/** The name of a function for a tool in a namespace: OpenAI's clients wrote such names before there were namespaces. */
function flatName(namespace: string | null, name: string): string {
  if (namespace === null) return name;
  const joined = `${namespace}${namespace.endsWith("__") ? "" : "__"}${name}`;
  const plain = joined.replaceAll(/[^A-Za-z0-9_-]/g, "_");
  return plain === joined && plain.length <= longestName ? plain : hashedName(namespace, name, plain);
}

function hashedName(namespace: string | null, name: string, plain: string): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([namespace, name]))
    .digest("hex")
    .slice(0, 8);
  return `${plain.slice(0, longestName - hash.length - 1)}_${hash}`;
}

const known = new WeakMap<Readonly<JsonObject>, OfferedTools>();

/** Reads them once for each request. @param body that nothing changes any more */
export function offeredTools(body: Readonly<JsonObject>): OfferedTools {
  const offered = known.get(body) ?? readTools(body);
  known.set(body, offered);
  return offered;
}

function readTools({ tools, input, tool_choice: choice }: Readonly<JsonObject>): OfferedTools {
  const reader = new ToolsReader();
  reader.read(tools, null);
  // Those that a search has found.
  for (const item of Array.isArray(input) ? input : []) if (isObject(item)) reader.read(item["tools"], null);
  const { functions, called, names, hosted } = reader;
  const needed = neededOf([...hosted], choice, functions.length > 0);
  return {
    functions,
    called,
    names,
    missing: needed === undefined ? null : `tools of type ${needed}${insteadOf(needed)}`,
  };
}

/**
 * Tools that agents offer with every call, for a provider to run if it can: Codex does so by default. Where the caller
 * says that the model may choose, and it has other tools, an answer without them is one that it asked for.
 */
const customary = /^(?:web_search(?:_preview)?(?:_\d{4}_\d\d_\d\d)?|image_generation)$/;

function neededOf(hosted: readonly string[], choice: unknown, hasOthers: boolean): string | undefined {
  if (choice === "none") return undefined;
  if (!isObject(choice)) {
    const canDoWithout = choice === "auto" && hasOthers;
    return hosted.find((type) => !(canDoWithout && customary.test(type)));
  }
  const { type, mode, tools } = choice;
  if (type === "function" || type === "custom") return undefined;
  if (type !== "allowed_tools" || !Array.isArray(tools)) return hosted[0];
  const allowed = new Set(tools.map((tool: unknown) => (isObject(tool) ? tool["type"] : null)));
  const among = hosted.filter((each) => allowed.has(each));
  return neededOf(among, readText(mode) ?? "auto", hasOthers && tools.length > 1);
}

function insteadOf(type: string): string {
  if (!customary.test(type)) return "";
  const codex = type === "image_generation" ? "features.image_generation = false" : 'web_search = "disabled"';
  return `: leave it out (Codex: ${codex} in config.toml), or send functions with it and tool_choice auto, and the model does without`;
}

class ToolsReader {
  readonly functions: JsonObject[] = [];
  readonly called = new Map<string, CalledTool>();
  readonly names = new Map<string, string>();
  private readonly namespaces = new Set<string>();
  /** types of tools that the provider would have to run */
  readonly hosted = new Set<string>();

  read(tools: unknown, namespace: JsonObject | null): void {
    if (!Array.isArray(tools)) return;
    for (const tool of tools) if (isObject(tool)) this.tool(tool, namespace);
  }

  private tool(tool: JsonObject, namespace: JsonObject | null): void {
    const type = typeName(tool["type"]);
    const { description, parameters, strict } = tool;
    switch (type) {
      case "function":
        return this.add("function", tool, namespace, { description, parameters, strict });
      case "custom":
        return this.add("custom", tool, namespace, { description: freely(tool), parameters: anyText });
      case "namespace":
        return this.read(tool["tools"], tool);
      case "tool_search":
        // Without the caller's search, all tools that could be found are there already.
        if (!isSearchByCaller(tool)) return;
        return this.add("tool_search", { name: type }, null, { description, parameters });
      default:
        this.hosted.add(type);
    }
  }

  private add(kind: CalledTool["kind"], tool: JsonObject, within: JsonObject | null, members: JsonObject): void {
    const name = readText(tool["name"]) ?? "";
    const namespace = within === null ? null : (readText(within["name"]) ?? "");
    const key = keyOf(name, namespace);
    if (this.names.has(key)) return;
    const flat = flatName(namespace, name);
    const own = this.called.has(flat) ? hashedName(namespace, name, flat) : flat;
    this.names.set(key, own);
    this.called.set(own, { kind, name, namespace });
    // What a namespace is for is said once.
    const about = namespace === null || this.namespaces.has(namespace) ? null : readText(within?.["description"]);
    if (namespace !== null) this.namespaces.add(namespace);
    const description = [readText(members["description"]), about].filter(isGiven).join("\n\n");
    const described = description === "" ? {} : { description };
    this.functions.push({ type: "function", function: given({ name: own, ...members, ...described }) });
  }
}

const anyText: JsonObject = {
  type: "object",
  properties: { input: { type: "string" } },
  required: ["input"],
  additionalProperties: false,
};

/** https://platform.openai.com/docs/guides/function-calling#custom-tools: a grammar, which a function cannot be held to. */
function freely({ description, format }: JsonObject): string {
  const definition = isObject(format) ? readText(format["definition"]) : null;
  const syntax = isObject(format) ? readText(format["syntax"]) : null;
  const held = definition === null ? null : `The input follows this ${syntax ?? ""} grammar:\n${definition}`;
  return [readText(description), held].filter(isGiven).join("\n\n");
}

/** The name of the function by which a provider knows a tool that was called earlier, or is to be called. */
export function functionName({ names }: OfferedTools, name: unknown, namespace: unknown): string {
  const [own, within] = [readText(name) ?? "", readText(namespace)];
  return names.get(keyOf(own, within)) ?? flatName(within, own);
}

const keyOf = (name: string, namespace: string | null) => JSON.stringify([namespace, name]);

/** The text that a custom tool gets. @param text of the arguments, as the model wrote them */
export function inputOf(text: string): string {
  const read = objectIn(text);
  return read !== null && typeof read["input"] === "string" ? read["input"] : text;
}

/** The object that a text is, unless it is too long to be read in one go, or nested too deep to be written again. */
export function objectIn(text: string): JsonObject | null {
  if (text.length > mostArguments) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && !isTooDeep(value) ? value : null;
  } catch {
    return null;
  }
}
