/** The guide that explains a section of the console, by the section's part of the address. */
const guides: Readonly<Record<string, string>> = {
  overview: "limits",
  usage: "limits",
  keys: "limits",
  workspaces: "limits",
  credits: "limits",
  calls: "chat",
  batches: "batches",
  files: "files",
  guardrails: "guardrails",
  presets: "presets",
  providers: "providers",
  models: "vector-spaces",
  destinations: "destinations",
  playground: "playground",
  audit: "operating",
  "management-keys": "operating#a-lost-key",
};

/** @returns the name of a page below `/docs`; the index, where a section has none of its own */
export function guideOf(pathname: string): string {
  const section = /^\/w\/[^/]+\/([^/]+)/.exec(pathname)?.[1] ?? "";
  return guides[section] ?? "guides";
}
