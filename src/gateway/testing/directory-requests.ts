import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scimBasePath, scimBounds, scimSchemas } from "#contract/scim-protocol.ts";
import { openStore } from "../storage/store.ts";
import type { HostileRequest } from "./hostile-requests.ts";
import { putStore } from "./store-template.ts";

const people = Array.from({ length: scimBounds.membersOfGroup }, (_, at) => idOf("1", at));
const everyone = idOf("2", 0);
const tenThousand = people.slice(0, 10_000);

function idOf(kind: string, at: number): string {
  return `${kind}0000000-0000-4000-8000-${String(at).padStart(12, "0")}`;
}

/** A data folder whose directory has 20,000 people with long names, and a group that none of them is in. */
export async function directoryFolder(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "gatehouse-e2e-"));
  await putStore(dataDir);
  const now = new Date();
  const store = await openStore({ engine: "embedded", folder: dataDir }, () => now);
  const made = { created_at: now, updated_at: now };
  const lot = 1_000;
  for (let from = 0; from < people.length; from += lot) {
    const rows = people.slice(from, from + lot).map((id) => ({
      ...made,
      id,
      user_name: `${id}@${"long.".repeat(20)}example.com`,
      active: true,
    }));
    await store.db.insertInto("scim_users").values(rows).execute();
  }
  await store.db
    .insertInto("scim_groups")
    .values({ ...made, id: everyone, display_name: "Everyone" })
    .execute();
  await store.close();
  return dataDir;
}

/** The group that the requests change: to be mapped first. */
export const directoryGroup = everyone;

const patch = (...Operations: readonly object[]) => JSON.stringify({ schemas: [scimSchemas.patch], Operations });
const members = (ids: readonly string[]) => ids.map((value) => ({ value }));
const replaceBy = (ids: readonly string[]) => ({ op: "replace", path: "members", value: members(ids) });
const attributes = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`urn:own:${at}`, "a"]));

const own = (method: string, path: string, [name, body]: readonly [string, (() => string)?]): HostileRequest => ({
  name,
  method,
  path: `${scimBasePath}${path}`,
  as: "directory",
  ...(body === undefined ? {} : { body }),
});
const change = (name: string, body: () => string) => own("PATCH", `/Groups/${everyone}`, [name, body]);

/** What a large directory pushes and asks, in this order: each is taken. */
export const directoryRequests: readonly HostileRequest[] = [
  change("10,000 members come", () => patch({ op: "add", path: "members", value: members(tenThousand) })),
  change("1,000 members go, an operation each", () =>
    patch(...people.slice(0, 1_000).map((id) => ({ op: "remove", path: `members[value eq "${id}"]` }))),
  ),
  change("other 10,000 take their place", () => patch(replaceBy(people.slice(10_000)))),
  change("two replacements, 2 MB", () => patch(...Array.from({ length: 2 }, () => replaceBy(people.slice(0, 19_000))))),
  own("PUT", `/Groups/${everyone}`, [
    "20,000 members",
    () => JSON.stringify({ displayName: "Everyone", members: members(people) }),
  ]),
  own("GET", `/Groups/${everyone}`, ["20,000 members"]),
  own("GET", "/Groups?count=200", ["a page of groups with 20,000 members"]),
  own("GET", "/Users?count=200&startIndex=19000", ["the last page of people"]),
  own("GET", `/Groups?filter=${encodeURIComponent(`members eq "${people[7]}"`)}&excludedAttributes=members`, [
    "the groups of a member",
  ]),
  own("POST", "/Users", [
    "9,000 attributes",
    () => JSON.stringify({ ...attributes(9_000), userName: `${Math.random()}` }),
  ]),
  own("PATCH", `/Users/${people[0]}`, [
    "90,000 attributes",
    () => patch(...Array.from({ length: 10 }, () => ({ op: "replace", value: attributes(9_000) }))),
  ]),
  own("PATCH", `/Users/${people[0]}`, [
    "operations of 90,000 members",
    () => patch(...Array.from({ length: 10 }, () => ({ ...attributes(9_000), op: "add", path: "title", value: "a" }))),
  ]),
  { ...change("all members go", () => patch({ op: "remove", path: "members" })), times: 20 },
];

/** Sent at once, all of them may be told to come again. */
export const directoryBursts: readonly HostileRequest[] = [
  { ...change("10,000 members, 40 at once", () => patch(replaceBy(tenThousand))), times: 40 },
  { ...own("GET", `/Groups/${everyone}`, ["10,000 members, 40 at once"]), times: 40 },
  own("GET", `/Users?filter=${encodeURIComponent(`emails[${" ".repeat(900)}`)}`, ["a filter of spaces"]),
  change("1,000 paths of spaces", () =>
    patch(...Array.from({ length: 1_000 }, () => ({ op: "remove", path: `x[a[${" ".repeat(900)}]` }))),
  ),
  change("a value of 90,000 lists", () =>
    patch({ op: "add", path: "members", value: Array.from({ length: 90_000 }, () => []) }),
  ),
  own("POST", "/Groups", [
    "100,000 values",
    () => JSON.stringify({ displayName: "a", members: Array(99_000).fill(1) }),
  ]),
  own("POST", "/Users", ["a name of 4 MB", () => JSON.stringify({ userName: "a".repeat(4_000_000) })]),
];
