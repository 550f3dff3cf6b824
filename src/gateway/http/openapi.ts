import { api, apiVersion, basePath } from "#contract/api.ts";
import type { Credential, Endpoint, ErrorForm, RequestHeader } from "#contract/endpoint.ts";
import { type AnsweredStatus, ErrorEnvelope } from "#contract/errors.ts";
import { OAuthError } from "#contract/federation.ts";
import { MessagesErrorEnvelope } from "#contract/messages.ts";
import { membersOf, schemaOf } from "./openapi-schema.ts";

type Json = Record<string, unknown>;

const security: Record<Credential, Json[]> = {
  management: [{ bearer: [] }, { apiKey: [] }, { session: [] }],
  ordinary: [{ bearer: [] }, { apiKey: [] }],
  any: [{ bearer: [] }, { apiKey: [] }, { session: [] }],
  session: [{ session: [] }],
  none: [],
};

const meaning: Record<AnsweredStatus, string> = {
  400: "Invalid request parameters or malformed input",
  401: "Authentication missing or invalid",
  402: "Insufficient credits, or the key's limit is spent",
  403: "Authenticated but not permitted",
  404: "Resource not found",
  405: "The path has no such method",
  408: "The request timed out",
  409: "Resource conflict",
  410: "The resource is no longer there",
  413: "The request body is too large",
  422: "The request cannot be processed",
  429: "Rate limit exceeded: retry with exponential backoff, after `Retry-After` seconds",
  500: "Unexpected server error",
  502: "A provider answered with an error",
  503: "Temporarily unavailable",
  504: "A provider did not answer in time",
  524: "A provider did not answer in time",
  529: "Providers are overloaded",
};

const requestHeaders: Record<RequestHeader, string> = {
  "Idempotency-Key": "Makes a repeat safe: 1 to 255 visible ASCII characters, new for every operation",
  "If-Match": "The `ETag` of an earlier answer, a list of them, or `*`; 409 where the record has none of them now",
  "HTTP-Referer": "The address of the program that calls, for its usage",
  "X-Service-Title": "The name of the program that calls, for its usage",
  "X-Session-Id": "The session that the call belongs to, where the body has no `session_id`; at most 256 characters",
  "X-OpenRouter-Cache":
    "`true`: an equal call of the same key is given the same answer, free; `false`: none is kept, whatever the preset says. See docs/response-cache.md",
  "X-OpenRouter-Cache-TTL": "For how many seconds the answer is kept: 1 to 86400, by default 300",
  "X-OpenRouter-Cache-Clear": "`true`: the answer that is there is replaced by a new one",
  "anthropic-version": "Passed on to providers that speak Anthropic's dialect",
  "anthropic-beta": "Passed on to providers that speak Anthropic's dialect",
};

const answerHeaders: Record<Endpoint["answerHeaders"][number], string> = {
  ETag: "The record's version, for `If-Match`",
  "X-Generation-Id": "The call's id, for `GET /generation`",
  "X-Token-Count": "`estimate`: the gateway's own count",
  "request-id": "The provider's id of the request where its answer is passed on, else the gateway's",
  "X-OpenRouter-Cache-Status": "`HIT` or `MISS`, where the call uses the response cache",
  "X-OpenRouter-Cache-Age": "How many seconds ago the answer was stored",
  "X-OpenRouter-Cache-TTL": "For how many seconds it is kept since then",
  "X-OpenRouter-Cache-Source-Id": "The id of the call that it was first given to",
  "X-Vector-Space":
    "The id of the vectors' space, for `provider.require_vector_space`; several, separated by commas, where providers of different spaces made them",
};

/** Seconds, on refusals that pass with time. */
const retryAfter = { "Retry-After": { description: "Seconds to wait", schema: { type: "integer" } } };
const retried: ReadonlySet<AnsweredStatus> = new Set([429, 503]);

/** The machine-readable description of the whole interface (OpenAPI 3.1), made from the contract alone. */
export function openApiDocument(server: string): Json {
  const schemas: Json = {};
  const paths: Record<string, Json> = {};
  for (const endpoint of Object.values<Endpoint>(api)) {
    const path = (paths[endpoint.path] ??= {});
    path[endpoint.method.toLowerCase()] = operation(endpoint, schemas);
  }
  const envelopes: Record<ErrorForm, Json> = {
    public: schemaOf(ErrorEnvelope, "output", schemas),
    messages: schemaOf(MessagesErrorEnvelope, "output", schemas),
    oauth: schemaOf(OAuthError, "output", schemas),
  };
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
        apiKey: {
          type: "apiKey",
          in: "header",
          name: "x-api-key",
          description: "The same key in the header of Anthropic's clients",
        },
        session: {
          type: "apiKey",
          in: "cookie",
          name: "gatehouse_session",
          description: "The console's session; changes need the `X-CSRF-Token` header as well",
        },
      },
      responses: Object.fromEntries(
        Object.values<Endpoint>(api).flatMap(({ errorForm, errors }) =>
          errors.map((status) => [errorName(errorForm, status), errorResponse(status, envelopes[errorForm])]),
        ),
      ),
      schemas,
    },
  };
}

const errorNames: Record<ErrorForm, string> = { public: "Error", messages: "MessagesError", oauth: "OAuthError" };
const errorName = (form: ErrorForm, status: AnsweredStatus) => `${errorNames[form]}${status}`;

function errorResponse(status: AnsweredStatus, envelope: Json): Json {
  return {
    description: meaning[status],
    ...(retried.has(status) ? { headers: retryAfter } : {}),
    content: { "application/json": { schema: envelope } },
  };
}

function operation(endpoint: Endpoint, schemas: Json): Json {
  const parameters = [
    ...pathParameters(endpoint, schemas),
    ...queryParameters(endpoint, schemas),
    ...endpoint.headers.map(headerParameter),
  ];
  return {
    operationId: endpoint.operationId,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    ...(endpoint.description === "" ? {} : { description: endpoint.description }),
    security: security[endpoint.auth],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...requestBodyOf(endpoint, schemas),
    responses: {
      [endpoint.status]: {
        description: { 200: "Success", 201: "Created", 202: "Accepted" }[endpoint.status],
        ...headersOf(endpoint),
        content: {
          ...answerOf(endpoint, schemas),
          ...(endpoint.streams === null
            ? {}
            : { "text/event-stream": { schema: schemaOf(endpoint.streams, "output", schemas) } }),
        },
      },
      ...Object.fromEntries(
        endpoint.errors.map((status) => [
          String(status),
          { $ref: `#/components/responses/${errorName(endpoint.errorForm, status)}` },
        ]),
      ),
    },
  };
}

function requestBodyOf(endpoint: Endpoint, schemas: Json): Json {
  const { body, form, bodyLimit } = endpoint;
  if (body === null && form === null) return {};
  const asBody = endpoint.urlencoded ? "application/x-www-form-urlencoded" : "application/json";
  const forms = [
    ...(body === null ? [] : [endpoint.urlencoded ? "Parameters" : "JSON"]),
    ...(form === null ? [] : ["a form"]),
  ].join(", or ");
  const content = {
    ...(body === null ? {} : { [asBody]: { schema: schemaOf(body, "input", schemas) } }),
    ...formOf(endpoint, schemas),
  };
  return { requestBody: { required: true, description: `${forms} of at most ${bodyLimit / 1_024} kB`, content } };
}

/** The request as a form: its file is bytes, which have no type (OpenAPI 3.1, 4.8.14.4). */
function formOf({ form }: Endpoint, schemas: Json): Json {
  if (form === null) return {};
  const { properties = {}, ...schema } = membersOf(form, "input", schemas);
  const file = { description: properties["file"]?.["description"] };
  return { "multipart/form-data": { schema: { ...schema, properties: { ...properties, file } } } };
}

/** The answer in good order. Bytes have no schema (OpenAPI 3.1, 4.8.14.3). */
function answerOf({ binary, returns }: Endpoint, schemas: Json): Json {
  if (binary.length === 0) return { "application/json": { schema: schemaOf(returns, "output", schemas) } };
  return Object.fromEntries(binary.map((type) => [type, {}]));
}

function headerParameter(name: RequestHeader): Json {
  return { name, in: "header", required: false, description: requestHeaders[name], schema: { type: "string" } };
}

function headersOf({ answerHeaders: names }: Endpoint): Json {
  if (names.length === 0) return {};
  const header = (name: (typeof names)[number]) => ({ description: answerHeaders[name], schema: { type: "string" } });
  return { headers: Object.fromEntries(names.map((name) => [name, header(name)])) };
}

function pathParameters(endpoint: Endpoint, schemas: Json): Json[] {
  const { properties } = membersOf(endpoint.params, "input", schemas);
  return Object.entries(properties ?? {}).map(([name, schema]) => ({ name, in: "path", required: true, schema }));
}

/** Query parameters from a caller's point of view: an integer or a flag, though both travel as text. */
function queryParameters(endpoint: Endpoint, schemas: Json): Json[] {
  const sent = membersOf(endpoint.query, "input", schemas);
  const meant = membersOf(endpoint.query, "output", schemas);
  return Object.entries(sent.properties ?? {}).map(([name, text]) => {
    const value = meant.properties?.[name] ?? {};
    const schema = Object.keys(value).length === 0 ? text : value;
    return { name, in: "query", required: sent.required?.includes(name) ?? false, schema };
  });
}
