/** One value of a payload, under the name that the sink will see. */
export interface PayloadField {
  name: string;
  value: string;
}

const most = 200;

/**
 * The values of a payload, one by one, in its own order, whatever its wire format: JSON, or lines of JSON. Lists of
 * `{key, value}` pairs, as OpenTelemetry writes attributes, become names. null where it is not JSON.
 */
export function payloadFields(body: string): PayloadField[] | null {
  const value = parse(body) ?? parse(`[${body.trim().split("\n").join(",")}]`);
  if (value === undefined) return null;
  const fields: PayloadField[] = [];
  walk("", value, fields);
  return fields.slice(0, most);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function walk(name: string, value: unknown, fields: PayloadField[]): void {
  if (fields.length >= most) return;
  if (Array.isArray(value)) {
    const pairs = value.every(isPair) && value.length > 0;
    for (const [index, item] of value.entries()) {
      // the path to an attribute says nothing that its own name does not
      if (pairs) walk((item as Pair).key, unwrap((item as Pair).value), fields);
      else walk(value.length === 1 ? name : `${name}[${index}]`, item, fields);
    }
  } else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) walk(name === "" ? key : `${last(name)}.${key}`, item, fields);
  } else fields.push({ name, value: value === null ? "null" : String(value) });
}

interface Pair {
  key: string;
  value: unknown;
}

function isPair(item: unknown): item is Pair {
  return (
    typeof item === "object" && item !== null && typeof (item as Partial<Pair>).key === "string" && "value" in item
  );
}

/** `{stringValue: "x"}` is x. */
function unwrap(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const [only, ...more] = Object.entries(value);
  if (only?.[0] === "arrayValue") {
    const { values = [] } = only[1] as { values?: unknown[] };
    return values.map(unwrap).join(", ");
  }
  return only && more.length === 0 && only[0].endsWith("Value") ? only[1] : value;
}

/** Only the nearest name: whole paths of a nested format would fill the column. */
const last = (name: string): string => name.split(".").at(-1) ?? name;
