import { fileURLToPath } from "node:url";

interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: readonly string[]; dynamicallyImportedIds: readonly string[] } | null;
}
type Member = (id: string, graph: ModuleGraph) => boolean;

const consoleFolder = fileURLToPath(new URL("../src/console/", import.meta.url));

/** Everything that is loaded before any of `starts` can run. */
function loadedBy(...starts: string[]): Member {
  let members: ReadonlySet<string> | undefined;
  return (id, graph) => {
    members ??= closure(
      starts.map((start) => consoleFolder + start),
      graph,
    );
    return members.has(id);
  };
}

function closure(starts: string[], graph: ModuleGraph): Set<string> {
  const found = new Set<string>();
  const queue = [...starts];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    queue.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
  }
  return found;
}

/** Everything that is fetched when it is asked for, with what it needs. */
let lazily: ReadonlyMap<string, ReadonlySet<string>> | undefined;
function lazyParts(graph: ModuleGraph): ReadonlyMap<string, ReadonlySet<string>> {
  if (lazily !== undefined) return lazily;
  const found = new Map<string, ReadonlySet<string>>();
  const queue = [`${consoleFolder}main.tsx`];
  for (let start = queue.pop(); start !== undefined; start = queue.pop()) {
    if (found.has(start)) continue;
    const needed = closure([start], graph);
    found.set(start, needed);
    for (const id of needed) queue.push(...(graph.getModuleInfo(id)?.dynamicallyImportedIds ?? []));
  }
  return (lazily = found);
}

/** Whether something outside this folder of pages needs a module. */
function isNeededOutside(folder: string | undefined, id: string, graph: ModuleGraph): boolean {
  return [...lazyParts(graph)].some(([start, needed]) => folderOf(start) !== folder && needed.has(id));
}

/** The only folder of pages that needs a module; what the frame fetches when it is asked for counts as none. */
function onlyFolder(id: string, graph: ModuleGraph): string | undefined {
  const folders = new Set(
    [...lazyParts(graph)].flatMap(([start, needed]) => (needed.has(id) ? (folderOf(start) ?? []) : [])),
  );
  return folders.size === 1 ? [...folders][0] : undefined;
}

/** The pages that are opened by their address, by the name of their chunk. Where their panels are small, they come with them. */
const pages: Readonly<Record<string, string>> = {
  overview: "pages/overview/OverviewPage.tsx",
  usage: "pages/usage/UsagePage.tsx",
  calls: "pages/calls/CallsPage.tsx",
  call: "pages/calls/CallPage.tsx",
  key: "pages/keys/KeyDetailPage.tsx",
  destinations: "pages/destinations/DestinationsPage.tsx",
  destination: "pages/destinations/EditorPage.tsx",
  workspaces: "pages/workspaces/WorkspacesPage.tsx",
  providers: "pages/providers/ProvidersPage.tsx",
  provider: "pages/providers/ProviderPage.tsx",
  models: "pages/models/ModelsPage.tsx",
  guardrails: "pages/guardrails/GuardrailsPage.tsx",
  audit: "pages/audit/AuditPage.tsx",
  playground: "pages/playground/PlaygroundPage.tsx",
};
const pageMembers = Object.entries(pages).map(([name, file]) => [name, loadedBy(file)] as const);

/** The sections that public/start.js asks for the code of, by the name in their address, and their chunks. */
export const firstChunks: readonly (readonly [section: string, ...chunks: string[]])[] = [
  ["keys", "first"],
  ["overview", "overview"],
  ["calls", "calls"],
  ["playground", "playground", "MapView", "example-run"],
];

/** What the rest of a folder of pages comes with: its panels, or all of it where that is little. */
const restOf: Readonly<Record<string, string>> = {
  keys: "key-panels",
  calls: "call",
  destinations: "destination-panels",
  workspaces: "workspaces",
  credits: "workspaces",
  providers: "provider-panels",
  models: "models",
  guardrails: "guardrails",
  presets: "preset",
  files: "preset",
  batches: "preset",
};

const folderOf = (id: string) => /\/src\/console\/pages\/([\w-]+)\//.exec(id)?.[1];
const member: Readonly<Record<string, Member>> = {
  runtime: (id) => /rolldown\/runtime|vite\/preload-helper/.test(id),
  // signing in comes before everything else, and waits for no second file
  shell: loadedBy("main.tsx", "pages/sign-in/SignInPage.tsx"),
  first: loadedBy("pages/keys/KeysPage.tsx"),
  frame: loadedBy(
    ...["AccountMenu.tsx", "Overlays.tsx", "ProviderCount.tsx", "key-options.ts"].map((file) => `shell/${file}`),
    "api/read-destinations.ts",
  ),
  shared: (id, graph) => folderOf(id) === undefined && pageMembers.filter(([, isIn]) => isIn(id, graph)).length > 1,
  // one page of its own, whose fields are those of the panels
  authorize: (id) =>
    /\/pages\/keys\/(AuthorizeAppPage|AuthCode|Sheet|app-request|use-settled)\.tsx?$|\/contract\/(oauth|app-callback)\.ts$/.test(
      id,
    ),
  fields: loadedBy("pages/keys/KeyFields.tsx", "pages/keys/WorkspaceField.tsx"),
  forms: loadedBy(
    "form/FormPanel.tsx",
    "form/endpoint-form.ts",
    "form/MoneyInput.tsx",
    "ui/Radio.tsx",
    "ui/Disclosure.tsx",
  ),
};

/**
 * How the console is cut: the shell, the first route (API keys) with what it shares with others, what the frame fetches
 * after it is drawn, what the other pages share, what all forms share (both fetched when the first page is at rest), and
 * each page with what is its own.
 * Left alone, the bundler makes a chunk for every set of pages that share something: 270 files, most of them below a
 * kilobyte, a dozen of which each page waits for.
 */
function chunkOf(id: string, graph: ModuleGraph): string | null {
  if (member["runtime"]?.(id, graph)) return "shell";
  for (const name of ["shell", "first", "authorize"]) if (member[name]?.(id, graph)) return name;
  for (const name of ["frame", "shared", "forms"]) if (member[name]?.(id, graph)) return name;
  const [name, file] = Object.entries(pages).find((_, index) => pageMembers[index]?.[1](id, graph)) ?? [];
  if (name !== undefined && !isNeededOutside(folderOf(consoleFolder + file), id, graph)) return name;
  if (name === "overview" || name === "calls") return "shared";
  const folder = folderOf(id);
  if (folder === "keys" && member["fields"]?.(id, graph)) return "key-fields";
  if (folder !== undefined) return restOf[folder] ?? null;
  if (/\/src\/contract\//.test(id)) {
    const only = onlyFolder(id, graph);
    // the parts of the playground are files of their own
    return only === "playground" ? null : (restOf[only ?? ""] ?? "forms");
  }
  // reads with their contract, which the command menu fetches as well
  if (/\/node_modules\/diff\/|\/api\/read-presets\.ts$/.test(id)) return "preset";
  if (/\/api\/(?:read-guardrails|guardrail-words)\.ts$/.test(id)) return "guardrails";
  return /\/src\/console\//.test(id) && !/\/vectors\//.test(id) ? "forms" : null;
}

/** Pages whose code is not the first route's, and panels, by the name of their chunk. */
export const furtherChunks = [...new Set([...Object.keys(pages), "authorize", ...Object.values(restOf)])];

export const chunkGroups = [{ name: chunkOf }];
