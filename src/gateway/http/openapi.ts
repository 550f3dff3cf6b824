import * as z from "zod/mini";
import * as audit from "#contract/audit.ts";
import { api, apiVersion, basePath } from "#contract/api.ts";
import * as byok from "#contract/byok.ts";
import * as chat from "#contract/chat.ts";
import * as destinations from "#contract/destinations.ts";
import * as embeddings from "#contract/embeddings.ts";
import type { Credential, Endpoint } from "#contract/endpoint.ts";
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

const security: Record<Credential, Json[]> = {
  management: [{ bearer: [] }, { session: [] }],
  ordinary: [{ bearer: [] }],
  any: [{ bearer: [] }, { session: [] }],
  session: [{ session: [] }],
  none: [],
};

const meaning: Record<errors.ErrorStatus, string> = {
  400: "Invalid request parameters or malformed input",
  401: "Authentication missing or invalid",
  402: "Insufficient credits, or the key's limit is spent",
  403: "Authenticated but not permitted",
  404: "Resource not found",
  405: "The path has no such method",
  408: "The request timed out",
  409: "Resource conflict",
  413: "The request body is too large",
  422: "The request cannot be processed",
  429: "Rate limit exceeded: retry with exponential backoff, after `Retry-After` seconds",
  500: "Unexpected server error",
  502: "A provider answered with an error",
  503: "Temporarily unavailable",
  524: "A provider did not answer in time",
  529: "Providers are overloaded",
};

/** The machine-readable description of the whole interface (OpenAPI 3.1), made from the contract alone. */
export function openApiDocument(server: string): Json {
  const schemas: Json = {};
  const paths: Record<string, Json> = {};
  for (const endpoint of Object.values<Endpoint>(api)) {
    const path = (paths[endpoint.path] ??= {});
    path[endpoint.method.toLowerCase()] = operation(endpoint, schemas);
  }
  const envelope = schemaOf(errors.ErrorEnvelope, "output", schemas);
  return {
    openapi: "3.1.0",
    info: {
      title: "Gatehouse",
      version: apiVersion,
      summary: "One API for many models, with keys that cannot overspend",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: `${server}${basePath}` }],
    tags: [...new Set(Object.values<Endpoint>(api).map((endpoint) => endpoint.tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "An API key: `Authorization: Bearer <API_KEY>`" },
        session: {
          type: "apiKey",
          in: "cookie",
          name: "gatehouse_session",
          description: "The console's session; changes need the `X-CSRF-Token` header as well",
        },
      },
      responses: Object.fromEntries(
        Object.entries(meaning).map(([status, description]) => [
          `Error${status}`,
          { description, content: { "application/json": { schema: envelope } } },
        ]),
      ),
      schemas,
    },
  };
}

function operation(endpoint: Endpoint, schemas: Json): Json {
  const parameters = [...pathParameters(endpoint, schemas), ...queryParameters(endpoint, schemas)];
  return {
    operationId: endpoint.name,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    ...(endpoint.description === "" ? {} : { description: endpoint.description }),
    security: security[endpoint.auth],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(endpoint.body === null
      ? {}
      : {
          requestBody: {
            required: true,
            content: { "application/json": { schema: schemaOf(endpoint.body, "input", schemas) } },
          },
        }),
    responses: {
      [endpoint.status]: {
        description: endpoint.status === 201 ? "Created" : "Success",
        content: { "application/json": { schema: schemaOf(endpoint.returns, "output", schemas) } },
      },
      ...Object.fromEntries(
        endpoint.errors.map((status) => [String(status), { $ref: `#/components/responses/Error${status}` }]),
      ),
    },
  };
}

function pathParameters(endpoint: Endpoint, schemas: Json): Json[] {
  const { properties } = membersOf(endpoint.params, "input", schemas);
  return Object.entries(properties ?? {}).map(([name, schema]) => ({ name, in: "path", required: true, schema }));
}

/** Query parameters as a caller thinks of them: an integer or a flag, though both travel as text. */
function queryParameters(endpoint: Endpoint, schemas: Json): Json[] {
  const sent = membersOf(endpoint.query, "input", schemas);
  const meant = membersOf(endpoint.query, "output", schemas);
  return Object.entries(sent.properties ?? {}).map(([name, text]) => {
    const value = meant.properties?.[name] ?? {};
    const schema = Object.keys(value).length === 0 ? text : value;
    return { name, in: "query", required: sent.required?.includes(name) ?? false, schema };
  });
}

type Members = { properties?: Record<string, Json>; required?: string[] };

/** The members of the path or the query: they are listed one by one, so their schema's own name is not referred to. */
function membersOf(schema: z.core.$ZodType, io: "input" | "output", schemas: Json): Members {
  const { id } = registry.get(schema) ?? {};
  registry.remove(schema);
  const members = schemaOf(schema, io, schemas) as Members;
  if (id !== undefined) registry.add(schema, { id });
  return members;
}

/** One schema as JSON Schema; the named schemas in it go to `schemas` and are referred to. */
function schemaOf(schema: z.core.$ZodType, io: "input" | "output", schemas: Json): Json {
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
