import { paths } from "../paths.ts";

export interface Section {
  name: string;
  /** the second key after `g` */
  letter: string;
  path: (workspace: string) => string;
  /** what people call it who look for it in the command menu */
  words?: string;
}

/** An entry of the sidebar. One with several pages leads to the first, and lists all of them while one is shown. */
export interface Entry {
  name: string;
  pages: readonly Section[];
}

const alone = (page: Section): Entry => ({ name: page.name, pages: [page] });

/** The sidebar: at most ten entries, in named groups. */
export const navigation: readonly { label: string; entries: readonly Entry[] }[] = [
  {
    label: "Activity",
    entries: [
      alone({ name: "Overview", letter: "o", path: paths.overview, words: "home dashboard needs attention" }),
      alone({
        name: "Usage",
        letter: "i",
        path: paths.usage,
        words: "spend cost tokens export finance csv report",
      }),
      {
        name: "Calls",
        pages: [
          { name: "Calls", letter: "c", path: paths.calls, words: "requests logs errors refused sessions" },
          { name: "Batches", letter: "b", path: paths.batches, words: "jobs" },
          { name: "Files", letter: "f", path: paths.files, words: "uploads" },
        ],
      },
    ],
  },
  {
    label: "Access",
    entries: [
      alone({
        name: "API keys",
        letter: "k",
        path: paths.keys,
        words: "tokens credentials limits expiry leak found rotate replace",
      }),
      alone({
        name: "Workspaces",
        letter: "s",
        path: paths.workspaces,
        words: "teams projects budgets members embedding cache video notifications",
      }),
      {
        name: "Policies",
        pages: [
          { name: "Guardrails", letter: "u", path: paths.guardrails, words: "policies budgets redact filters privacy" },
          { name: "Presets", letter: "t", path: paths.presets, words: "prompts saved settings" },
        ],
      },
    ],
  },
  {
    label: "Models",
    entries: [
      {
        name: "Providers",
        pages: [
          { name: "Providers", letter: "p", path: paths.providers, words: "vendors upstream ollama openai" },
          {
            name: "Models",
            letter: "m",
            path: paths.models,
            words: "prices dimension vector space drift canary change plan",
          },
        ],
      },
      alone({
        name: "Destinations",
        letter: "d",
        path: paths.destinations,
        words: "observability webhook traces",
      }),
      alone({ name: "Playground", letter: "e", path: paths.playground, words: "embeddings chat map similar vectors" }),
    ],
  },
  {
    label: "Account",
    entries: [
      {
        name: "Settings",
        pages: [
          { name: "Audit log", letter: "a", path: paths.audit, words: "history changes who" },
          { name: "Management keys", letter: "n", path: paths.managementKeys, words: "admin tokens sign in" },
          { name: "Credits", letter: "r", path: paths.credits, words: "money balance" },
        ],
      },
    ],
  },
];

/** Every page of the sidebar, in its order. */
export const sections: readonly Section[] = navigation.flatMap(({ entries }) => entries.flatMap(({ pages }) => pages));
