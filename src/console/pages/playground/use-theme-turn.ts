import { useEffect, useState } from "react";

/** A number that changes with the theme: what is drawn on a canvas has to be drawn again in the other colours. */
export function useThemeTurn(): number {
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const next = () => setTurn((before) => before + 1);
    const system = matchMedia("(prefers-color-scheme: dark)");
    const chosen = new MutationObserver(next);
    chosen.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    system.addEventListener("change", next);
    return () => {
      chosen.disconnect();
      system.removeEventListener("change", next);
    };
  }, []);
  return turn;
}
