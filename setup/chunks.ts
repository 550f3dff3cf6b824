import { fileURLToPath } from "node:url";

interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

/** One chunk of everything that is loaded before `start` can run, except what a group of higher priority has. */
function group(name: string, start: string, priority: number, except: RegExp) {
  let members: ReadonlySet<string> | undefined;
  return {
    debugName: name,
    priority,
    name: (id: string, graph: ModuleGraph) => {
      members ??= loadedBy(fileURLToPath(new URL(`../src/console/${start}`, import.meta.url)), graph);
      return members.has(id) && !except.test(id) ? name : null;
    },
  };
}

/**
 * How the console is cut: the shell, what the first route (API keys) shares with others, and the pages as they come.
 * Left alone, the bundler makes a chunk for every set of pages that share something: 20 requests where 4 do, and 9 kB
 * more in gzip, which compresses files one by one.
 */
export const chunkGroups = [
  group("shell", "main.tsx", 2, /^$/),
  group("common", "pages/keys/KeysPage.tsx", 1, /\/src\/console\/pages\//),
];

function loadedBy(start: string, graph: ModuleGraph): Set<string> {
  const found = new Set<string>();
  const queue = [start];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    queue.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
  }
  return found;
}
