/**
 * Who may import whom, in the code and not in its tests: the one table of walls. `house.test.ts` holds every import of the
 * tree against it, and `npm test -- --since` reads from it which tests a change may concern.
 *
 * A room is a folder; its rows name the other rooms that it may import, and what it exports is known to nobody else. Of the
 * gateway's domain each room also may import the kernel and the rooms above it (docs/architecture.md says what each is for).
 */

/** The rooms of `src/gateway/domain/`, in order: one may import those before it. */
export const domainRooms = [
  "secrets",
  "bodies",
  "ledger",
  "workspaces",
  "files",
  "guardrails",
  "keys",
  "federation",
  "directory",
  "calls",
  "routing",
  "providers",
  "destinations",
  "instance",
] as const;

const domain = ["gateway/domain", ...domainRooms.map((room) => `gateway/domain/${room}`)];
/** What all rooms of the gateway may use: its contract with callers, and small things without a room. */
const basis = ["contract", "gateway"];
const forms = ["console", "console/api", "console/ui", "contract"];

const rooms: Record<string, readonly string[]> = {
  contract: [],
  "gateway/storage": ["contract"],
  "gateway/domain": [...basis, "gateway/storage"],
  ...Object.fromEntries(
    domainRooms.map((room, index) => [
      `gateway/domain/${room}`,
      [
        ...basis,
        "gateway/storage",
        "gateway/domain",
        ...domainRooms.slice(0, index).map((one) => `gateway/domain/${one}`),
      ],
    ]),
  ),
  "gateway/providers": basis,
  "gateway/exporters": ["contract"],
  "gateway/relay": [...basis, ...domain, "gateway/providers"],
  "gateway/forwarding": [...basis, ...domain, "gateway/exporters", "gateway/providers"],
  "gateway/http": [...basis, ...domain, "gateway/relay"],
  "gateway/app": [
    ...basis,
    ...domain,
    "gateway/storage",
    "gateway/providers",
    "gateway/relay",
    "gateway/forwarding",
    "gateway/http",
  ],
  "gateway/workers": ["gateway", "gateway/app", "gateway/domain/ledger"],
  // The program itself, and what belongs to none of its rooms.
  gateway: [
    "contract",
    ...domain,
    "gateway/storage",
    "gateway/relay",
    "gateway/http",
    "gateway/app",
    "gateway/workers",
  ],
  "gateway/testing": [
    ...basis,
    ...domain,
    "gateway/storage",
    "gateway/providers",
    "gateway/relay",
    "gateway/http",
    "gateway/app",
  ],
  "console/ui": ["console"],
  "console/vectors": ["console"],
  "console/api": ["console", "contract"],
  "console/form": forms,
  "console/table": forms,
  "console/shell": [...forms, "console/form", "console/table"],
  "console/pages": [...forms, "console/form", "console/table", "console/shell", "console/vectors"],
  // The entry, the routes, and what belongs to none of its rooms.
  console: ["contract", "console/api", "console/form", "console/shell", "console/pages"],
  e2e: ["contract", "console", "gateway/testing", "setup"],
};

/** Rooms that everything else of theirs stands on and that import everything: a change of what is in them is one of all. */
const wholeHouses = new Set(["gateway", "console"]);

/** @param file its path from the project's root @returns null for what is in no room, such as a document */
export function roomOf(file: string): string | null {
  const [top = "", side = "", room = "", inner = "", ...deeper] = file.split("/");
  if (top !== "src") return /\.(ts|tsx|js)$/.test(file) ? top : null;
  if (side === "contract") return "contract";
  if (inner === "") return side;
  if (side === "gateway" && room === "domain")
    return deeper.length === 0 ? "gateway/domain" : `gateway/domain/${inner}`;
  return `${side}/${room}`;
}

/** True where code of one room may import code of another. */
export function mayImport(room: string, other: string): boolean {
  return room === other || !(room in rooms) || (rooms[room]?.includes(other) ?? false);
}

/** The rooms whose behavior a change of one may change: itself, those that may import it, and those that may import these. */
export function roomsThatSee(changed: string): Set<string> {
  if (wholeHouses.has(changed)) {
    return new Set([changed, ...Object.keys(rooms).filter((room) => room.startsWith(`${changed}/`)), "e2e"]);
  }
  const seen = new Set([changed]);
  for (const room of seen) {
    for (const [other, imports] of Object.entries(rooms)) {
      if (imports.includes(room) && !wholeHouses.has(other)) seen.add(other);
    }
  }
  return seen;
}

/** The rooms of the table. */
export const allRooms: readonly string[] = Object.keys(rooms);
