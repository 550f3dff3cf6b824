import { scimBounds, scimSchemas } from "#contract/scim-protocol.ts";
import type { ScimGroupRow } from "../domain/directory/groups.ts";
import type { ScimList } from "../domain/directory/page.ts";
import type { ScimUserRow } from "../domain/directory/users.ts";

/** A user as RFC 7643 §4.1 has it: what is not known is absent. @param base the SCIM server's address */
export function userResource(row: ScimUserRow, base: string) {
  const { id, formatted_name: formatted, given_name: givenName, family_name: familyName, email, email_type } = row;
  const name = present({ formatted, givenName, familyName });
  return {
    schemas: [scimSchemas.user],
    id,
    ...present({ externalId: row.external_id, displayName: row.display_name }),
    userName: row.user_name,
    ...(Object.keys(name).length === 0 ? {} : { name }),
    ...(email === null ? {} : { emails: [{ value: email, type: email_type ?? "work", primary: true }] }),
    active: row.active,
    meta: meta("User", row, `${base}/Users/${id}`),
  };
}

/** A group as RFC 7643 §4.2 has it. */
export function groupResource(row: ScimGroupRow, base: string) {
  const { id, members } = row;
  return {
    schemas: [scimSchemas.group],
    id,
    ...present({ externalId: row.external_id }),
    displayName: row.display_name,
    ...(members === null
      ? {}
      : { members: members.map(({ id: value, name: display }) => ({ value, display, type: "User" })) }),
    meta: meta("Group", row, `${base}/Groups/${id}`),
  };
}

export function listAnswer<T>({ total, startIndex, found }: ScimList<T>, resource: (row: T) => object) {
  return {
    schemas: [scimSchemas.list],
    totalResults: total,
    startIndex,
    itemsPerPage: found.length,
    Resources: found.map(resource),
  };
}

/** RFC 7643 §5: what this server can do. */
export function providerConfig(base: string) {
  const no = { supported: false };
  return {
    schemas: [scimSchemas.config],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: scimBounds.page },
    changePassword: no,
    sort: no,
    etag: no,
    authenticationSchemes: [
      {
        type: "oauthbearertoken",
        name: "Bearer token",
        description: "A SCIM token of this gateway, as Authorization: Bearer",
        primary: true,
      },
    ],
    meta: { resourceType: "ServiceProviderConfig", location: `${base}/ServiceProviderConfig` },
  };
}

export function resourceTypes(base: string) {
  const type = (id: "User" | "Group", schema: string) => ({
    schemas: [scimSchemas.resourceType],
    id,
    name: id,
    endpoint: `/${id}s`,
    schema,
    meta: { resourceType: "ResourceType", location: `${base}/ResourceTypes/${id}` },
  });
  return [type("User", scimSchemas.user), type("Group", scimSchemas.group)];
}

/** RFC 7643 §7: the attributes that are kept. */
export function schemas(base: string) {
  const schema = (id: string, name: string, attributes: readonly object[]) => ({
    schemas: [scimSchemas.schema],
    id,
    name,
    attributes,
    meta: { resourceType: "Schema", location: `${base}/Schemas/${id}` },
  });
  return [
    schema(scimSchemas.user, "User", [
      attribute("userName", { required: true, uniqueness: "server" }),
      attribute("externalId", { caseExact: true }),
      attribute("displayName"),
      attribute("name", {
        type: "complex",
        subAttributes: [attribute("formatted"), attribute("givenName"), attribute("familyName")],
      }),
      attribute("emails", {
        type: "complex",
        multiValued: true,
        subAttributes: [attribute("value"), attribute("type"), attribute("primary", { type: "boolean" })],
      }),
      attribute("active", { type: "boolean" }),
    ]),
    schema(scimSchemas.group, "Group", [
      attribute("displayName", { required: true }),
      attribute("externalId", { caseExact: true }),
      attribute("members", {
        type: "complex",
        multiValued: true,
        subAttributes: [
          attribute("value", { caseExact: true, mutability: "immutable" }),
          attribute("display", { mutability: "readOnly" }),
          attribute("type", { mutability: "readOnly" }),
        ],
      }),
    ]),
  ];
}

const plain = {
  type: "string",
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: "readWrite",
  returned: "default",
  uniqueness: "none",
};

function attribute(name: string, differs: object = {}) {
  return { name, ...plain, ...differs };
}

function meta(resourceType: string, { created_at, updated_at }: { created_at: Date; updated_at: Date }, at: string) {
  return { resourceType, created: created_at.toISOString(), lastModified: updated_at.toISOString(), location: at };
}

function present(members: Readonly<Record<string, string | null>>): Record<string, string> {
  return Object.fromEntries(Object.entries(members).filter((entry): entry is [string, string] => entry[1] !== null));
}
