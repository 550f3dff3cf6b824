type Json = Record<string, unknown>;

/** One line of a table of members. */
export interface MemberRow {
  name: string;
  type: string;
  required: boolean;
  rules: string;
}

const deepest = 4;

/** Lists the members of a JSON Schema, nested ones by dotted names, references resolved within `schemas`. */
export function memberRows(schema: Json, schemas: Json, prefix = "", depth = 0): MemberRow[] {
  const own = resolve(schema, schemas);
  const branches = alternatives(own).map((branch) => resolve(branch, schemas));
  const required = new Set((own["required"] as string[] | undefined) ?? []);
  const members = Object.entries((own["properties"] as Record<string, Json> | undefined) ?? {});
  const rows = members.flatMap(([name, member]) => {
    const row = { name: `${prefix}${name}`, required: required.has(name), ...described(member, schemas) };
    return depth >= deepest
      ? [row]
      : [row, ...memberRows(inner(member, schemas), schemas, path(row, member, schemas), depth + 1)];
  });
  const theirs = branches.flatMap((branch) => memberRows(branch, schemas, prefix, depth + 1));
  return [...rows, ...theirs.filter((row, at) => theirs.findIndex((other) => other.name === row.name) === at)];
}

function path(row: MemberRow, member: Json, schemas: Json): string {
  return row.type.startsWith("array") || resolve(member, schemas)["type"] === "array"
    ? `${row.name}[].`
    : `${row.name}.`;
}

/** What a member consists of: an array's elements, a record's values, or itself. */
function inner(member: Json, schemas: Json): Json {
  const own = resolve(nonNull(member, schemas), schemas);
  const items = own["items"];
  if (typeof items === "object" && items !== null) return inner(items as Json, schemas);
  return own;
}

function described(member: Json, schemas: Json): Pick<MemberRow, "type" | "rules"> {
  const own = resolve(nonNull(member, schemas), schemas);
  const nullable = alternatives(resolve(member, schemas)).some((branch) => branch["type"] === "null");
  return { type: typeName(own, schemas) + (nullable ? " or null" : ""), rules: rules(own) };
}

function typeName(schema: Json, schemas: Json): string {
  const own = resolve(schema, schemas);
  if (Array.isArray(own["enum"])) return own["enum"].map((value) => JSON.stringify(value)).join(", ");
  if ("const" in own) return JSON.stringify(own["const"]);
  const branches = alternatives(own);
  if (branches.length > 0) return [...new Set(branches.map((branch) => typeName(branch, schemas)))].join(" or ");
  if (own["type"] === "array") return `array of ${typeName((own["items"] as Json | undefined) ?? {}, schemas)}`;
  const format = typeof own["format"] === "string" ? ` (${own["format"]})` : "";
  return `${typeof own["type"] === "string" ? own["type"] : "any"}${format}`;
}

const bounds: readonly (readonly [member: string, words: (bound: number) => string])[] = [
  ["minimum", (bound) => `at least ${bound}`],
  ["maximum", (bound) => `at most ${bound}`],
  ["minLength", (bound) => `at least ${count(bound, "character")}`],
  ["maxLength", (bound) => `at most ${count(bound, "character")}`],
  ["minItems", (bound) => `at least ${count(bound, "element")}`],
  ["maxItems", (bound) => `at most ${count(bound, "element")}`],
];

/** Bounds that matter to a reader; the limits of safe integers do not. */
function rules(schema: Json): string {
  const words = bounds.flatMap(([member, say]) => {
    const bound = schema[member];
    return typeof bound === "number" && Math.abs(bound) < Number.MAX_SAFE_INTEGER ? [say(bound)] : [];
  });
  return [schema["description"], ...words].filter((part) => typeof part === "string").join("; ");
}

function nonNull(schema: Json, schemas: Json): Json {
  const branches = alternatives(resolve(schema, schemas)).filter((branch) => branch["type"] !== "null");
  return branches.length === 1 && branches[0] !== undefined ? branches[0] : schema;
}

function alternatives(schema: Json): Json[] {
  return ((schema["anyOf"] ?? schema["oneOf"]) as Json[] | undefined) ?? [];
}

function resolve(schema: Json, schemas: Json): Json {
  const reference = schema["$ref"];
  if (typeof reference !== "string") return schema;
  return (schemas[reference.replace("#/components/schemas/", "")] as Json | undefined) ?? {};
}

function count(number: number, unit: string): string {
  return `${number} ${unit}${number === 1 ? "" : "s"}`;
}
