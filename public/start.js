// Loaded before the first paint and before the console's own code, which is a hundred times larger.
(() => {
  // A chosen theme never flashes the other one. "system" (or nothing) leaves it to the browser.
  try {
    const chosen = localStorage.getItem("gatehouse.theme");
    if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
  } catch {
    // storage is off
  }

  const meta = (name) => document.querySelector(`meta[name="${name}"]`)?.content ?? "";
  const base = meta("gatehouse-base");
  const path = location.pathname.startsWith(base) ? location.pathname.slice(base.length) : "";
  const [, workspace, section] = /^\/w\/([^/]+)\/([a-z]+)\/?$/.exec(path) ?? [];
  const signedIn = meta("gatehouse-session").startsWith("{");
  if (!signedIn || section === undefined) return;

  // The page's code is fetched together with the shell's, which would ask for it once it runs.
  for (const file of (meta(`gatehouse-chunks-${section}`) || "").split(" ").filter(Boolean)) {
    const link = document.createElement("link");
    link.rel = "modulepreload";
    link.crossOrigin = "";
    link.href = `${base}/${file}`;
    document.head.append(link);
  }

  // So are the workspaces, and what the page opens with. api/early-reads.ts takes the answers; an address with a search
  // of its own is left to the page.
  const reads = (window.gatehouseEarlyReads = new Map());
  const read = (of) => {
    const answer = fetch(`${base}/api/v1${of}`, {
      headers: { accept: "application/json" },
      credentials: "same-origin",
      cache: "no-store",
    });
    answer.catch(() => undefined);
    reads.set(of, answer);
    return answer;
  };
  const first = {
    keys: (id) => `/keys?include_disabled=true&limit=100&workspace_id=${id}`,
    calls: (id) => `/calls?workspace_id=${id}&limit=50`,
    overview: (id) => `/overview?workspace_id=${id}&by=hour&last=168&group_by=key`,
  }[section];
  const workspaces = read("/workspaces?limit=100&offset=0");
  if (first === undefined || location.search !== "") return;
  if (workspace === "all") {
    read(first("all"));
    return;
  }
  workspaces
    .then((answer) => answer.clone().json())
    .then(({ data }) => data.find(({ slug, id }) => slug === workspace || id === workspace))
    .then((found) => found && read(first(found.id)))
    .catch(() => undefined);
})();
