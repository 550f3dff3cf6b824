import type { Endpoint } from "#contract/endpoint.ts";

type Json = Record<string, unknown>;

/** A command that calls an endpoint: path parameters in capitals, and the required part of the body. */
export function curlExample(endpoint: Endpoint, base: string, body: Json | undefined, schemas: Json): string {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase());
  const lines = [`curl${endpoint.method === "GET" ? "" : ` -X ${endpoint.method}`} "${base}${path}"`];
  if (endpoint.auth !== "none" && endpoint.auth !== "session") {
    lines.push(
      `-H "Authorization: Bearer $${endpoint.auth === "management" ? "GATEHOUSE_MANAGEMENT_KEY" : "GATEHOUSE_API_KEY"}"`,
    );
  }
  if (body !== undefined && endpoint.urlencoded) {
    const parameters = Object.entries(sampleMembers(body, schemas));
    lines.push(...parameters.map(([name, value]) => `--data-urlencode "${name}=${String(value)}"`));
  } else if (body !== undefined) {
    lines.push('-H "Content-Type: application/json"', `-d '${JSON.stringify(sample(body, schemas))}'`);
  }
  if (body === undefined && endpoint.form !== null) lines.push("-F file=@FILE");
  if (endpoint.binary.length > 0) lines.push("-o FILE");
  return lines.join(" \\\n  ");
}

/** The smallest value that a schema accepts, with words where text is expected. */
function sample(schema: Json, schemas: Json): unknown {
  const reference = schema["$ref"];
  if (typeof reference === "string") {
    return sample((schemas[reference.replace("#/components/schemas/", "")] as Json | undefined) ?? {}, schemas);
  }
  if ("const" in schema) return schema["const"];
  if (Array.isArray(schema["enum"])) return schema["enum"][0];
  const [branch] = ((schema["anyOf"] ?? schema["oneOf"]) as Json[] | undefined) ?? [];
  if (branch !== undefined) return sample(branch, schemas);
  switch (schema["type"]) {
    case "object":
      return sampleMembers(schema, schemas);
    case "array":
      return [sample((schema["items"] as Json | undefined) ?? {}, schemas)];
    case "string":
      return schema["format"] === "uuid" ? "00000000-0000-4000-8000-000000000000" : "…";
    case "boolean":
      return true;
    default:
      return typeof schema["minimum"] === "number" ? Math.max(schema["minimum"], 0) : 0;
  }
}

function sampleMembers(schema: Json, schemas: Json): Json {
  const properties = (schema["properties"] as Record<string, Json> | undefined) ?? {};
  const required = (schema["required"] as string[] | undefined) ?? [];
  return Object.fromEntries(required.map((name) => [name, sample(properties[name] ?? {}, schemas)]));
}
