import { paths } from "../paths.ts";

export interface Section {
  name: string;
  /** the second key after `g` */
  letter: string;
  path: (workspace: string) => string;
}

/** The sections of the sidebar, in its order; an inner list is a group with air around it. Only what exists is listed. */
export const sections: readonly (readonly Section[])[] = [
  [{ name: "Overview", letter: "o", path: paths.overview }],
  [
    { name: "API keys", letter: "k", path: paths.keys },
    { name: "Calls", letter: "c", path: paths.calls },
    { name: "Batches", letter: "b", path: paths.batches },
    { name: "Destinations", letter: "d", path: paths.destinations },
    { name: "Guardrails", letter: "u", path: paths.guardrails },
    { name: "Presets", letter: "t", path: paths.presets },
    { name: "Files", letter: "f", path: paths.files },
    { name: "Playground", letter: "e", path: paths.playground },
  ],
  [
    { name: "Workspaces", letter: "s", path: paths.workspaces },
    { name: "Credits", letter: "r", path: paths.credits },
    { name: "Providers", letter: "p", path: paths.providers },
    { name: "Models", letter: "m", path: paths.models },
    { name: "Audit log", letter: "a", path: paths.audit },
  ],
];
