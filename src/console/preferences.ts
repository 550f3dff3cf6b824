import { useSyncExternalStore } from "react";

/** What a person chose on this machine. Never anything secret: it is kept in localStorage. */
const choices = {
  /** read by public/start.js before the first paint */
  theme: ["system", "light", "dark"],
  /** the zone of times in tables */
  zone: ["utc", "local"],
  density: ["regular", "compact"],
  /** single-key shortcuts */
  shortcuts: ["on", "off"],
  /** the playground opens with its example map */
  example: ["shown", "cleared"],
  /** the playground's input folds after a run, or stays open once somebody opened it */
  input: ["folds", "stays"],
} as const;

type Name = keyof typeof choices;
export type Preference<N extends Name> = (typeof choices)[N][number];

const listeners = new Set<() => void>();

/** The choice, or the first possible value if nothing valid is stored or storage is unavailable. */
export function readPreference<N extends Name>(name: N): Preference<N> {
  const possible: readonly string[] = choices[name];
  const stored = storage()?.getItem(`gatehouse.${name}`);
  return (stored != null && possible.includes(stored) ? stored : possible[0]) as Preference<N>;
}

export function setPreference<N extends Name>(name: N, value: Preference<N>): void {
  storage()?.setItem(`gatehouse.${name}`, value);
  if (name === "theme") applyTheme(value);
  for (const listener of listeners) listener();
}

export function usePreference<N extends Name>(name: N): Preference<N> {
  return useSyncExternalStore(watch, () => readPreference(name));
}

function applyTheme(theme: string): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}

function watch(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", listener);
  };
}

function storage(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}
