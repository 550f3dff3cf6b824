import { useSyncExternalStore } from "react";

let turn = 0;

/** A number that changes with the theme: what is drawn on a canvas has to be drawn again in the other colors. */
export function useThemeTurn(): number {
  return useSyncExternalStore(watch, () => turn);
}

function watch(listener: () => void): () => void {
  const next = () => {
    turn += 1;
    listener();
  };
  const system = matchMedia("(prefers-color-scheme: dark)");
  const chosen = new MutationObserver(next);
  chosen.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  system.addEventListener("change", next);
  return () => {
    chosen.disconnect();
    system.removeEventListener("change", next);
  };
}
