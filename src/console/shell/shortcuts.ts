import { useEffect, useRef } from "react";
import { createStore, useStore } from "../api/store.ts";
import { readPreference } from "../preferences.ts";
import { nothingPressed, pressName, shortcutStep } from "./shortcut-step.ts";

export interface Shortcut {
  /** one key (`c`, `/`, `?`), two in a row (`g k`), or with Ctrl or ⌘ (`mod+k`) */
  keys: string;
  label: string;
  run: () => void;
}

const registered = createStore<readonly Shortcut[]>([]);

/** Offers a shortcut for as long as the component is shown. The latest `run` is the one that is called. */
export function useShortcut(keys: string, label: string, run: () => void, enabled = true): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    if (!enabled) return undefined;
    const shortcut: Shortcut = { keys, label, run: () => latest.current() };
    registered.set([...registered.get(), shortcut]);
    return () => registered.set(registered.get().filter((other) => other !== shortcut));
  }, [keys, label, enabled]);
}

/** What can be pressed right now, for the list behind `?`. */
export function useShortcuts(): readonly Shortcut[] {
  return useStore(registered);
}

/** Listens for the shortcuts on the whole page; returns what stops it. */
export function listenForShortcuts(target: Document): () => void {
  let before = nothingPressed;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return;
    const modified = event.ctrlKey || event.metaKey;
    if (!modified && (event.altKey || !singleKeysAllowed(event))) return;
    const { call, next } = shortcutStep(registered.get(), before, { key: pressName(event), at: event.timeStamp });
    before = next;
    if (!call) return;
    event.preventDefault();
    call.run();
  };
  target.addEventListener("keydown", onKeyDown);
  return () => target.removeEventListener("keydown", onKeyDown);
}

/** WCAG 2.1.4: single keys can be switched off, and mean nothing while typing or while a dialog has the page. */
function singleKeysAllowed(event: KeyboardEvent): boolean {
  if (readPreference("shortcuts") === "off") return false;
  const element = event.target instanceof HTMLElement ? event.target : undefined;
  if (!element) return true;
  if (element.isContentEditable || element.closest("input, textarea, select, [role=textbox], [role=combobox]"))
    return false;
  return element.closest("[role=dialog], [role=alertdialog], [role=menu], [role=listbox]") === null;
}
