import { fileURLToPath } from "node:url";

interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

/** One chunk of everything that is loaded before `starts` can run, except what a group of higher priority has. */
function group(name: string, starts: string[], priority: number, except = /^$/) {
  let members: ReadonlySet<string> | undefined;
  return {
    debugName: name,
    priority,
    name: (id: string, graph: ModuleGraph) => {
      members ??= loadedBy(
        starts.map((start) => fileURLToPath(new URL(`../src/console/${start}`, import.meta.url))),
        graph,
      );
      return members.has(id) && !except.test(id) ? name : null;
    },
  };
}

/** What the frame fetches by itself once it is drawn: menus and what the sidebar counts. */
const frame = ["AccountMenu.tsx", "Overlays.tsx", "ProviderCount.tsx"].map((file) => `shell/${file}`);

/**
 * How the console is cut: the shell, what the first route (API keys) shares with others, the rest of that route, what the
 * frame fetches after it is drawn, what all forms share (fetched when the first page is at rest), and the pages as they
 * come.
 * Left alone, the bundler makes a chunk for every set of pages that share something: 24 files where 5 do, and 9 kB
 * more in gzip, which compresses files one by one.
 */
export const chunkGroups = [
  group("shell", ["main.tsx"], 3),
  group("common", ["pages/keys/KeysPage.tsx"], 2, /\/src\/console\/pages\//),
  group("keys", ["pages/keys/KeysPage.tsx"], 1.9),
  group("frame", [...frame, "api/read-destinations.ts"], 1.8, /SignInForm/),
  group(
    "forms",
    ["form/FormPanel.tsx", "form/endpoint-form.ts", "form/MoneyInput.tsx", "ui/Radio.tsx", "ui/Disclosure.tsx"],
    1,
  ),
];

function loadedBy(starts: string[], graph: ModuleGraph): Set<string> {
  const found = new Set<string>();
  const queue = [...starts];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    queue.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
  }
  return found;
}
