import * as z from "zod/mini";
import * as audit from "#contract/audit.ts";
import * as byok from "#contract/byok.ts";
import * as chat from "#contract/chat.ts";
import * as destinations from "#contract/destinations.ts";
import * as embeddings from "#contract/embeddings.ts";
import * as errors from "#contract/errors.ts";
import * as keys from "#contract/keys.ts";
import * as models from "#contract/models.ts";
import * as providers from "#contract/providers.ts";
import * as routing from "#contract/routing.ts";
import * as session from "#contract/session.ts";
import * as workspaces from "#contract/workspaces.ts";

type Json = Record<string, unknown>;

/** Contract modules whose schemas keep their names in the document; schemas of other modules appear in place. */
const named: Record<string, unknown> = {
  ...audit,
  ...byok,
  ...chat,
  ...destinations,
  ...embeddings,
  ...errors,
  ...keys,
  ...models,
  ...providers,
  ...routing,
  ...session,
  ...workspaces,
};

type Members = { properties?: Record<string, Json>; required?: string[] };

/** The members of the path or the query: they are listed one by one, so their schema's own name is not referred to. */
export function membersOf(schema: z.core.$ZodType, io: "input" | "output", schemas: Json): Members {
  const { id } = registry.get(schema) ?? {};
  registry.remove(schema);
  const members = schemaOf(schema, io, schemas) as Members;
  if (id !== undefined) registry.add(schema, { id });
  return members;
}

/** One schema as JSON Schema; the named schemas in it go to `schemas` and are referred to. */
export function schemaOf(schema: z.core.$ZodType, io: "input" | "output", schemas: Json): Json {
  const {
    $schema: _,
    $defs,
    ...own
  } = z.toJSONSchema(schema, {
    io,
    metadata: registry,
    unrepresentable: "any",
    // Answers may gain members: a client that refuses unknown ones would break.
    override: ({ jsonSchema }) => {
      if (io === "output" && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  }) as Json & { $defs?: Json };
  for (const [name, definition] of Object.entries($defs ?? {})) schemas[name] = relocated(definition);
  return relocated(own) as Json;
}

const registry = z.registry<{ id: string }>();
for (const [name, value] of Object.entries(named)) {
  if (value instanceof z.core.$ZodType && /^[A-Z]/.test(name)) registry.add(value, { id: name });
}

/** `#/$defs/KeyRecord` → `#/components/schemas/KeyRecord`; the id itself says nothing more. */
function relocated(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(relocated);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([key, member]) => key !== "id" || typeof member !== "string");
  return Object.fromEntries(
    entries.map(([key, member]) => [
      key,
      key === "$ref" && typeof member === "string"
        ? member.replace("#/$defs/", "#/components/schemas/")
        : relocated(member),
    ]),
  );
}
