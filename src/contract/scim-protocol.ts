import * as z from "zod/mini";

/** Where an identity provider finds the SCIM server, below the gateway's own address. */
export const scimBasePath = "/scim/v2";

export const scimMediaType = "application/scim+json";

/** https://www.rfc-editor.org/rfc/rfc7643, https://www.rfc-editor.org/rfc/rfc7644 */
export const scimSchemas = {
  user: "urn:ietf:params:scim:schemas:core:2.0:User",
  group: "urn:ietf:params:scim:schemas:core:2.0:Group",
  list: "urn:ietf:params:scim:api:messages:2.0:ListResponse",
  patch: "urn:ietf:params:scim:api:messages:2.0:PatchOp",
  error: "urn:ietf:params:scim:api:messages:2.0:Error",
  config: "urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig",
  resourceType: "urn:ietf:params:scim:schemas:core:2.0:ResourceType",
  schema: "urn:ietf:params:scim:schemas:core:2.0:Schema",
} as const;

/** What an error says beyond its status: RFC 7644 §3.12. */
export type ScimType =
  | "invalidFilter"
  | "uniqueness"
  | "invalidSyntax"
  | "invalidPath"
  | "noTarget"
  | "invalidValue"
  | "mutability";

/** The most that a directory may push. */
export const scimBounds = {
  users: 50_000,
  groups: 5_000,
  membersOfGroup: 20_000,
  /** memberships of workspaces that one group gives: its members times the workspaces that it is mapped to */
  membershipsOfGroup: 100_000,
  /** operations in one PATCH */
  operations: 1_000,
  /** resources on one page */
  page: 200,
} as const;

/** An error's body: its `status` is text. */
export interface ScimError {
  readonly schemas: readonly [typeof scimSchemas.error];
  readonly status: string;
  readonly scimType?: ScimType;
  readonly detail: string;
}

/**
 * A directory may send attributes that are not known here: they are not kept. Names of attributes have no case, so the
 * attributes themselves are read one by one.
 */
export const ScimResource = z.record(z.string(), z.unknown());

const Operations = z.array(
  z.object({
    op: z.pipe(
      z.pipe(
        z.string(),
        z.transform((text) => text.toLowerCase()),
      ),
      z.enum(["add", "remove", "replace"], "must be add, remove or replace"),
    ),
    path: z.optional(z.nullable(z.string().check(z.maxLength(1_000, "must have at most 1000 characters")))),
    value: z.optional(z.unknown()),
  }),
);

/** Microsoft Entra capitalizes the names of operations; names of members have no case. */
export const ScimPatch = z.pipe(
  z.pipe(ScimResource, z.transform(withOperations)),
  z.object({ operations: Operations.check(z.minLength(1, "must have at least one operation")) }),
);
export type ScimOperation = z.infer<typeof ScimPatch>["operations"][number];

function withOperations(body: Record<string, unknown>): Record<string, unknown> {
  const operations = Object.entries(body).find(([name]) => name.toLowerCase() === "operations")?.[1];
  if (!Array.isArray(operations)) return { operations };
  return { operations: operations.slice(0, scimBounds.operations + 1).map(lowered) };
}

function lowered(operation: unknown): unknown {
  if (typeof operation !== "object" || operation === null || Array.isArray(operation)) return operation;
  const named = Object.entries(operation).map(([name, value]) => [name.toLowerCase(), value] as const);
  return Object.fromEntries(named.filter(([name]) => memberNames.has(name)));
}

const memberNames = new Set(["op", "path", "value"]);
