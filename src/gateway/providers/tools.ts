import { isObject, objectsOf, readText, typeName, type JsonObject } from "./answer.ts";
import { cannotCarry } from "./call.ts";

/** `tool_choice`: a mode, or the name of the one function that must be called. */
export type ToolChoice = { readonly mode: ToolMode } | { readonly name: string };

/** `validated` is Google's: the model may call a function, and then only as its schema has it. */
export type ToolMode = "auto" | "none" | "required" | "validated";

/** Vendors' words for the modes: Anthropic and Mistral say `any`. */
const modes: ReadonlyMap<unknown, ToolMode> = new Map([
  ["auto", "auto"],
  ["none", "none"],
  ["required", "required"],
  ["any", "required"],
  ["validated", "validated"],
]);

/** The functions of a request that may be called, and which of them must be. */
export interface ChosenTools {
  /** the functions as the caller wrote them */
  readonly tools: readonly JsonObject[];
  readonly functions: readonly JsonObject[];
  /** null: the vendor's default */
  readonly choice: ToolChoice | null;
  /** the names of the only functions that may be called; null: all */
  readonly only: ReadonlySet<string> | null;
}

/** What may be called among all tools, and how. */
interface Chosen {
  readonly choice: ToolChoice | null;
  readonly only: ReadonlySet<string> | null;
}

/** The functions among a request's tools. */
export function readFunctions(body: Readonly<JsonObject>): JsonObject[] {
  return toolsIn(body).flatMap(functionOf);
}

/** Each form of `tool_choice` in one; undefined for what it has no words for. */
export function readToolChoice(choice: unknown): Chosen | undefined {
  if (choice === undefined || choice === null) return { choice: null, only: null };
  const { type, allowed_tools: allowed } = isObject(choice) ? choice : { type: choice };
  const mode = modes.get(type);
  if (mode !== undefined) return { choice: { mode }, only: null };
  if (!isObject(choice)) return undefined;
  if (type === "allowed_tools") {
    const { mode: within = "auto", tools } = isObject(allowed) ? allowed : choice;
    const how = modes.get(within);
    if (how === undefined || !Array.isArray(tools)) return undefined;
    return { choice: { mode: how }, only: new Set(tools.flatMap((tool) => nameOf(tool) ?? [])) };
  }
  const name = type === "function" || type === undefined ? nameOf(choice) : null;
  return name === null ? undefined : { choice: { name }, only: null };
}

/**
 * The tools for a vendor that has functions alone.
 * @throws CallFailed for a choice, or a tool, that only OpenAI's dialect has words for
 */
export function chosenTools(body: Readonly<JsonObject>): ChosenTools {
  const read = readToolChoice(body["tool_choice"]);
  if (read === undefined) throw cannotCarry(`it has no tool_choice of type ${choiceName(body["tool_choice"])}`);
  const { choice, only } = read;
  const offered = toolsIn(body).filter((tool) => only === null || only.has(nameOf(tool) ?? ""));
  const isCalling = choice === null || !("mode" in choice) || choice.mode !== "none";
  // A custom tool's input is a text, and others are run by the vendor: without them, the answer would be another one.
  const other = isCalling ? offered.find((tool) => functionOf(tool).length === 0) : undefined;
  if (other !== undefined) throw cannotCarry(`it has no tools of type ${typeName(other["type"])}`);
  const tools = offered.filter((tool) => functionOf(tool).length > 0);
  const functions = tools.flatMap(functionOf);
  if (functions.length > 0) return { tools, functions, choice, only };
  if (choice !== null && ("name" in choice || choice.mode === "required")) {
    throw cannotCarry("tool_choice asks for a call, and there is no function that could be called");
  }
  return { tools, functions, choice: null, only };
}

const toolsIn = ({ tools }: Readonly<JsonObject>) => objectsOf(tools);

const functionOf = ({ type, function: called }: JsonObject): JsonObject[] =>
  type === "function" && isObject(called) ? [called] : [];

/** The name of a function; callers of other forms write it without the object around it. */
function nameOf(tool: unknown): string | null {
  if (!isObject(tool)) return null;
  const { function: called } = tool;
  return readText(isObject(called) ? called["name"] : tool["name"]);
}

const choiceName = (choice: unknown) => typeName(isObject(choice) ? choice["type"] : choice);

/** Of what a call is, if not of a function: OpenAI has tools of type `custom`, and others may have more. Null: of a function. */
export function otherKind({ type, function: called, custom }: JsonObject): string | null {
  if (isObject(called)) return null;
  if (typeof type === "string" && type !== "" && type !== "function") return type;
  return isObject(custom) ? "custom" : null;
}

/** A call of a chat answer, or a piece of one. */
export interface ReadCall {
  readonly kind: "function" | "custom" | "other";
  readonly name: string;
  /** its arguments, or its input; of a kind that is not known, all of it as JSON */
  readonly text: string;
}

export function readCall(call: JsonObject): ReadCall {
  const kind = otherKind(call);
  const held = call[kind ?? "function"];
  const called = isObject(held) ? held : {};
  const name = readText(called["name"]);
  if (kind === "custom") return { kind, name: name ?? "", text: readText(called["input"]) ?? "" };
  if (kind !== null) return { kind: "other", name: name ?? kind, text: JSON.stringify(called) };
  const { arguments: given } = called;
  const text = typeof given === "string" ? given : given === undefined || given === null ? "" : JSON.stringify(given);
  return { kind: "function", name: name ?? "", text };
}
