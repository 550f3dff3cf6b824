import { isObject } from "../../providers/answer.ts";

type Members = Readonly<Record<string, unknown>>;

/** Members in which a null says something, or that go back as they came. */
const opaque = new Set(["parameters", "schema", "arguments", "reasoning_details"]);
/** Members of a request that vendors check all the way down. */
const checked = new Set(["messages", "tools", "tool_choice", "response_format"]);

/**
 * A request without members that are null: they mean what absent ones do, and vendors refuse most of them (OpenAI
 * `tools`, `tool_calls`, `name` and `detail`, Mistral `tool_choice`), while clients write them down.
 */
export function withoutNulls<Body extends Members>(body: Body): Body {
  return cleanObject(body, (name, value) => (checked.has(name) ? cleanOf(value) : value));
}

/** The value itself where nothing in it is null. */
function cleanOf(value: unknown): unknown {
  if (Array.isArray(value)) {
    const cleaned = value.map(cleanOf);
    return cleaned.some((each, index) => each !== value[index]) ? cleaned : value;
  }
  if (!isObject(value)) return value;
  return cleanObject(value, (name, each) => (opaque.has(name) ? each : cleanOf(each)));
}

/** An assistant's message with calls has no content, which some vendors want to be told. */
function cleanObject<T extends Members>(members: T, clean: (name: string, value: unknown) => unknown): T {
  const changed: [name: string, value: unknown][] = [];
  // Not the entries: a body has a hundred thousand, and the pairs take three times as long.
  for (const name of Object.keys(members)) {
    const value = members[name];
    const each = value === null ? dropped(name) : clean(name, value);
    if (each !== value) changed.push([name, each]);
  }
  if (changed.length === 0) return members;
  const cleaned: Record<string, unknown> = { ...members };
  for (const [name, value] of changed) {
    if (value === undefined) delete cleaned[name];
    else cleaned[name] = value;
  }
  return cleaned as T;
}

const dropped = (name: string) => (name === "content" ? null : undefined);
