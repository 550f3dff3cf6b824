import { isObject } from "../../providers/answer.ts";

type Members = Readonly<Record<string, unknown>>;

/** Members in which a null says something, or that go back as they came. */
const opaque = new Set(["parameters", "schema", "arguments", "reasoning_details"]);
/** Members of a request that vendors check all the way down. */
const checked = ["messages", "tools", "tool_choice", "response_format"];

/**
 * A request without members that are null: they mean what absent ones do, and vendors refuse most of them (OpenAI
 * `tools`, `tool_calls`, `name` and `detail`, Mistral `tool_choice`), while clients write them down.
 */
export function withoutNulls<Body extends Members>(body: Body): Body {
  const kept = dropNulls(body);
  const cleaned = checked.flatMap((name) => {
    const value = kept[name];
    const clean = cleanOf(value);
    return clean === value ? [] : [[name, clean] as const];
  });
  return cleaned.length === 0 ? kept : { ...kept, ...Object.fromEntries(cleaned) };
}

/** The value itself where nothing in it is null. */
function cleanOf(value: unknown): unknown {
  if (Array.isArray(value)) {
    const cleaned = value.map(cleanOf);
    return cleaned.some((each, index) => each !== value[index]) ? cleaned : value;
  }
  if (!isObject(value)) return value;
  const kept = dropNulls(value);
  let changed: Record<string, unknown> | null = null;
  for (const [name, each] of Object.entries(kept)) {
    const clean = opaque.has(name) ? each : cleanOf(each);
    if (clean !== each) (changed ??= { ...kept })[name] = clean;
  }
  return changed ?? kept;
}

/** An assistant's message with calls has no content, which some vendors want to be told. */
function dropNulls<T extends Members>(members: T): T {
  const isNull = ([name, value]: [string, unknown]) => value === null && name !== "content";
  const entries = Object.entries(members);
  return entries.some(isNull) ? (Object.fromEntries(entries.filter((each) => !isNull(each))) as T) : members;
}
