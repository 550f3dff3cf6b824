import { api, basePath } from "#contract/api.ts";
import type { Endpoint } from "#contract/endpoint.ts";
import { openApiDocument } from "../http/openapi.ts";

type Json = Record<string, unknown>;

/** A generated request. */
export interface FuzzRequest {
  readonly operation: string;
  readonly method: string;
  /** with the base path and the query */
  readonly path: string;
  readonly as: "nobody" | "ordinary" | "management" | "session";
  readonly body?: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Models that make or read media, where the run has a provider of them. */
export const studio = ["studio/speech", "studio/transcription", "studio/image"] as const;

/** What earlier answers named, to be used in later requests. */
export interface Known {
  readonly ids: string[];
}

/** A generator of numbers from 0 to 1, the same for the same seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const odd: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  -(2 ** 31),
  2_147_483_648,
  "",
  " ",
  "\u0000",
  "\ud800",
  "a\u202eb",
  "x".repeat(300),
  "y".repeat(70_000),
  "%00",
  "../..",
  "__proto__",
  "infinity",
  "NaN",
  "2026-02-30T00:00:00Z",
  "0000-01-01T00:00:00Z",
  "9999-12-31T23:59:59Z",
  "00000000-0000-4000-8000-000000000000",
  [],
  {},
  [[]],
  [null],
  Array.from({ length: 3_000 }, () => 1),
];

/** Makes requests of every operation of the contract: valid ones, which are then damaged here and there. */
export function createFuzzer(seed: number, known: Known): () => FuzzRequest {
  const random = seeded(seed);
  const schemas = (openApiDocument("")["components"] as { schemas: Record<string, Json> }).schemas;
  const paths = openApiDocument("")["paths"] as Record<string, Record<string, Json>>;
  const endpoints = Object.values<Endpoint>(api);
  const below = (limit: number) => Math.floor(random() * limit);
  const chance = (share: number) => random() < share;
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;

  function resolved(schema: Json): Json {
    const reference = schema["$ref"];
    return typeof reference === "string" ? (schemas[reference.replace("#/components/schemas/", "")] ?? {}) : schema;
  }

  function value(given: Json, name: string, depth: number): unknown {
    const schema = resolved(given);
    if (chance(0.03)) return pick(odd);
    if ("const" in schema) return schema["const"];
    if (Array.isArray(schema["enum"])) return pick(schema["enum"]);
    const branches = (schema["anyOf"] ?? schema["oneOf"]) as Json[] | undefined;
    if (branches !== undefined && branches.length > 0) return value(pick(branches), name, depth);
    switch (schema["type"]) {
      case "object":
        return members(schema, depth);
      case "array":
        return Array.from({ length: chance(0.02) ? 2_000 : below(4) }, () =>
          value((schema["items"] as Json) ?? {}, name, depth + 1),
        );
      case "boolean":
        return chance(0.5);
      case "integer":
      case "number":
        return number(schema);
      case "null":
        return null;
      case "string":
        return text(schema, name);
      default:
        return depth > 4 ? 1 : pick<unknown>(["a", 1, { a: 1 }, null]);
    }
  }

  function members(schema: Json, depth: number): Json {
    const required = new Set((schema["required"] as string[] | undefined) ?? []);
    const entries = Object.entries((schema["properties"] as Record<string, Json> | undefined) ?? {});
    const kept = entries.filter(([name]) => (required.has(name) ? !chance(0.02) : chance(depth > 3 ? 0.1 : 0.35)));
    const made: Json = Object.fromEntries(kept.map(([name, member]) => [name, value(member, name, depth + 1)]));
    if (chance(0.02)) made[chance(0.5) ? "unknown" : "u".repeat(below(2_000))] = 1;
    return made;
  }

  function number(schema: Json): number {
    const least = Math.max(Number(schema["minimum"] ?? 0), -1_000);
    const most = Math.min(Number(schema["maximum"] ?? 1_000), 1_000_000_000);
    const drawn = least + random() * Math.max(0, most - least);
    return schema["type"] === "integer" ? Math.round(drawn) : drawn;
  }

  function text(schema: Json, name: string): string {
    // Nothing that is generated may reach beyond this machine.
    if (/url|host|endpoint|link|site/i.test(name)) return pick(["https://127.0.0.1:1/a", "http://127.0.0.1:1"]);
    if (name === "model" || name === "models")
      return pick(["gatehouse/lexical", "gatehouse/lexical-visual", "no/model", ...studio]);
    if (schema["format"] === "date-time" || /_at$|^from$|^to$/.test(name)) return "2027-01-31T12:00:00Z";
    if (known.ids.length > 0 && (schema["format"] === "uuid" || /hash|id$|ids$|hashes|slug/.test(name)) && chance(0.8))
      return pick(known.ids);
    if (schema["format"] === "uuid") return "00000000-0000-4000-8000-000000000000";
    if (/slug/.test(name)) return `slug-${below(40)}`;
    const most = Math.min(Number(schema["maxLength"] ?? 40), 40);
    return pick(["name", "שלום", "naïve 👩‍👩‍👧", "a b c", `n${below(1_000)}`]).slice(0, Math.max(1, most));
  }

  /** Changes the JSON's text itself: what no schema thinks of. */
  function damaged(json: string): string {
    const at = below(json.length + 1);
    switch (below(7)) {
      case 0:
        return json.slice(0, at);
      case 1:
        return json.slice(0, at) + pick(["[", "}", '"', ",", "\\", "\u0000", "1e999", "é"]) + json.slice(at);
      case 2:
        return "[".repeat(below(2_000)) + json;
      case 3:
        return json.replace(/:("[^"]*"|\d+)/, () => `:${JSON.stringify(pick(odd))}`);
      case 4:
        return json.replace(
          /^\{/,
          `{"__proto__":{"a":1},${chance(0.2) ? Array.from({ length: 3_000 }, (_, i) => `"m${i}":1,`).join("") : ""}"constructor":1,`,
        );
      case 5:
        return json.replace(
          /"([^"]+)":/,
          (_, name: string) => `"${name}":${"[".repeat(150)}${"]".repeat(150)},"${name}":`,
        );
      default:
        return `${json}${" ".repeat(below(5_000))}`;
    }
  }

  const credentials = {
    management: "management",
    ordinary: "ordinary",
    any: "ordinary",
    session: "session",
    none: "nobody",
  } as const;

  return () => {
    const endpoint = pick(endpoints);
    const operation = paths[endpoint.path]?.[endpoint.method.toLowerCase()] ?? {};
    const parameters =
      (operation["parameters"] as { name: string; in: string; required: boolean; schema: Json }[]) ?? [];
    const inPath = (name: string) => {
      const parameter = parameters.find((each) => each.in === "path" && each.name === name);
      return encodeURIComponent(textOf(value(parameter?.schema ?? { type: "string" }, name, 0)).slice(0, 300) || "a");
    };
    const query = parameters
      .filter((each) => each.in === "query" && (each.required || chance(0.3)))
      .map((each) => `${each.name}=${encodeURIComponent(textOf(value(each.schema, each.name, 0)).slice(0, 2_000))}`);
    if (chance(0.03)) query.push(`unknown=${"x".repeat(below(3_000))}`);
    const path = `${basePath}${endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => inPath(name))}`;
    const content = (operation["requestBody"] as { content: Record<string, { schema: Json }> } | undefined)?.content;
    const type = content === undefined ? undefined : pick(Object.keys(content));
    const given = type === undefined ? undefined : value(content?.[type]?.schema ?? {}, "", 0);
    const written = type === undefined ? undefined : (writers[type] ?? JSON.stringify)(given);
    const body = written === undefined ? undefined : chance(0.2) ? damaged(written) : written;
    const usual = credentials[endpoint.auth];
    return {
      operation: endpoint.name,
      method: endpoint.method,
      path: query.length === 0 ? path : `${path}?${query.join("&")}`,
      as: chance(0.1)
        ? pick(["nobody", "ordinary", "management", "session"] as const)
        : usual === "management" && chance(0.3)
          ? "session"
          : usual,
      ...(body === undefined ? {} : { body }),
      headers: {
        ...(type === formType ? { "content-type": `${formType}; boundary=${boundary}` } : {}),
        ...(type === parametersType ? { "content-type": parametersType } : {}),
        ...(chance(0.05)
          ? pick<Record<string, string>>([
              { "if-match": '"999999999"' },
              { "idempotency-key": "a" },
              { "content-type": "text/plain" },
              { cookie: "gatehouse_session=%%%" },
            ])
          : {}),
      },
    };
  };
}

const formType = "multipart/form-data";
const boundary = "----a-form-of-the-fuzzer";

const parametersType = "application/x-www-form-urlencoded";

const writers: Readonly<Record<string, (value: unknown) => string>> = {
  [formType]: form,
  [parametersType]: (value) =>
    new URLSearchParams(
      Object.fromEntries(Object.entries(value ?? {}).map(([name, member]) => [name, textOf(member)])),
    ).toString(),
};

/** A form of what an object has, each member a part, `file` with a name (RFC 7578). */
function form(value: unknown): string {
  const parts = Object.entries(typeof value === "object" && value !== null ? value : { value }).map(
    ([name, member]) => {
      const fileName = name === "file" ? '; filename="a file.txt"\r\ncontent-type: text/plain' : "";
      return `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${fileName}\r\n\r\n${textOf(member)}\r\n`;
    },
  );
  return `${parts.join("")}--${boundary}--\r\n`;
}

function textOf(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.toWellFormed();
}
