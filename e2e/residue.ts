import type { Page } from "@playwright/test";

/**
 * Where in the page a piece of a key can be found: markup, form fields, every storage, the address and history, the
 * query and mutation caches, and everything that React holds, walked from the root's fibers through props, state, refs,
 * caches and whatever these lead to.
 */
export async function whereFound(page: Page, piece: string): Promise<string[]> {
  return page.evaluate(async (wanted) => {
    const found: string[] = [];
    const look = (where: string, text: string | null | undefined) => {
      if (text?.includes(wanted)) found.push(where);
    };
    look("markup", document.documentElement.outerHTML);
    for (const field of document.querySelectorAll("input, textarea")) look("field", (field as HTMLInputElement).value);
    look("title", document.title);
    look("address", location.href);
    look("history.state", JSON.stringify(history.state));
    look("window.name", window.name);
    look("cookie", document.cookie);
    look("localStorage", JSON.stringify({ ...localStorage }));
    look("sessionStorage", JSON.stringify({ ...sessionStorage }));
    look("performance entries", JSON.stringify(performance.getEntries()));
    for (const { name = "" } of await indexedDB.databases()) look("IndexedDB", await dump(name));
    for (const name of "caches" in window ? await caches.keys() : []) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) look("Cache", await (await cache.match(request))?.text());
    }
    // there is none; one that came to be would need a look of its own
    if ((await navigator.serviceWorker?.getRegistrations())?.length) found.push("a service worker is registered");
    return [...found, ...walkReact()];

    function dump(name: string): Promise<string> {
      return new Promise((resolve, reject) => {
        const opening = indexedDB.open(name);
        opening.addEventListener("error", () => reject(opening.error ?? new Error(name)));
        opening.addEventListener("success", () => {
          const stores = [...opening.result.objectStoreNames];
          const texts: string[] = [];
          const next = () => {
            const store = stores.pop();
            if (store === undefined) return resolve(texts.join());
            const all = opening.result.transaction(store).objectStore(store).getAll();
            all.addEventListener("success", () => {
              texts.push(JSON.stringify(all.result));
              next();
            });
          };
          next();
        });
      });
    }

    function walkReact(): string[] {
      const root = document.getElementById("root");
      const name = Object.keys(root ?? {}).find((property) => property.startsWith("__reactContainer$"));
      if (!root || name === undefined) return ["no React root was found: the walk would prove nothing"];
      const places: string[] = [];
      const seen = new Set<unknown>();
      let fibers = 0;
      let caches = 0;
      const queue: { value: unknown; path: string }[] = [{ value: (root as never)[name], path: "fiber" }];
      for (let entry = queue.pop(); entry; entry = queue.pop()) {
        const { value, path } = entry;
        if (typeof value === "string") {
          if (value.includes(wanted)) places.push(`React: ${path}`);
          continue;
        }
        if (value === null || (typeof value !== "object" && typeof value !== "function") || seen.has(value)) continue;
        if (value === window || value instanceof Node || value instanceof StyleSheet) continue;
        seen.add(value);
        if ("memoizedProps" in value) fibers++;
        if (value instanceof Map)
          for (const [key, item] of value)
            queue.push({ value: key, path }, { value: item, path: `${path}.${String(key)}` });
        if (value instanceof Set) for (const item of value) queue.push({ value: item, path });
        if ("getQueryCache" in value && "getMutationCache" in value) {
          caches++;
          const client = value as {
            getQueryCache(): { getAll(): unknown[] };
            getMutationCache(): { getAll(): unknown[] };
          };
          queue.push({ value: client.getQueryCache().getAll(), path: "query cache" });
          queue.push({ value: client.getMutationCache().getAll(), path: "mutation cache" });
        }
        for (const property of Reflect.ownKeys(value)) {
          const own = Object.getOwnPropertyDescriptor(value, property);
          if (own && "value" in own) queue.push({ value: own.value, path: `${path}.${String(property)}`.slice(-160) });
        }
      }
      if (fibers < 50 || caches === 0)
        places.push(`the walk met ${fibers} fibers and ${caches} caches: it proves nothing`);
      return places;
    }
  }, piece);
}

/**
 * Whether Chromium's heap still has the text. A JavaScript string cannot be wiped, so this is reported, not asserted.
 */
export async function inHeap(page: Page, piece: string): Promise<boolean> {
  const session = await page.context().newCDPSession(page);
  let found = false;
  let carry = "";
  session.on("HeapProfiler.addHeapSnapshotChunk", ({ chunk }) => {
    found ||= (carry + chunk).includes(piece);
    carry = chunk.slice(-piece.length);
  });
  await session.send("HeapProfiler.collectGarbage");
  await session.send("HeapProfiler.takeHeapSnapshot", { reportProgress: false });
  await session.detach();
  return found;
}
