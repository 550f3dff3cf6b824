import { useEffectEvent, useLayoutEffect, useRef } from "react";
import { createStore, useStore } from "../api/store.ts";
import { readPreference } from "../preferences.ts";
import { isTextField } from "../ui/text-field.ts";
import { useListener } from "../ui/use-listener.ts";
import { nothingPressed, pressName, shortcutStep } from "./shortcut-step.ts";
import { typingStep, type Typed } from "./typing.ts";

export interface Shortcut {
  /** one key (`c`, `/`, `?`), two in a row (`g k`), or with Ctrl or ⌘ (`mod+k`) */
  keys: string;
  label: string;
  run: () => void;
}

const registered = createStore<readonly Shortcut[]>([]);

/** Offers a shortcut for as long as the component is shown. The latest `run` is the one that is called. */
export function useShortcut(keys: string, label: string, run: () => void, enabled = true): void {
  const latest = useEffectEvent(run);
  // before the browser paints: what can be seen can be pressed
  useLayoutEffect(() => {
    if (!enabled) return undefined;
    const shortcut: Shortcut = { keys, label, run: () => latest() };
    registered.set([...registered.get(), shortcut]);
    return () => registered.set(registered.get().filter((other) => other !== shortcut));
  }, [keys, label, enabled]);
}

/** What can be pressed right now, for the list behind `?`. */
export function useShortcuts(): readonly Shortcut[] {
  return useStore(registered);
}

/** Runs the shortcuts, wherever on the page their keys are pressed. */
export function useShortcutKeys(): void {
  const before = useRef(nothingPressed);
  const typed = useRef<Typed>(null);
  useListener(document, "pointerdown", () => void (typed.current = null), { capture: true });
  useListener(document, "keydown", (event) => {
    const modified = event.ctrlKey || event.metaKey;
    const target = event.target instanceof HTMLElement ? event.target : null;
    const typing = typingStep(typed.current, { key: event.key, at: event.timeStamp, inField: isTextField(target) });
    typed.current = typing.typed;
    if (event.defaultPrevented || event.isComposing) return;
    if (!modified && (event.altKey || typing.isRest || !singleKeysAllowed(event.key, target))) return;
    const press = { key: pressName(event), at: event.timeStamp };
    const { call, next } = shortcutStep(registered.get(), before.current, press);
    before.current = next;
    if (!call) return;
    event.preventDefault();
    call.run();
  });
}

/** What Space presses; a link is not among it. */
const pressable = "button, summary, input, [role=button], [role=switch], [role=checkbox], [role=radio], [role=tab]";

/** WCAG 2.1.4: single keys can be switched off, and mean nothing while typing or while a dialog has the page. */
function singleKeysAllowed(key: string, target: HTMLElement | null): boolean {
  if (readPreference("shortcuts") === "off") return false;
  if (!target) return true;
  if (isTextField(target) || (key === " " && target.matches(pressable))) return false;
  return target.closest("[role=dialog], [role=alertdialog], [role=menu], [role=listbox]") === null;
}
