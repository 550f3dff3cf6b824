import { useEffect, useState } from "react";

/**
 * Whether the page has been in front for long enough to be read. A page that lures somebody into a double click could
 * otherwise put this one under the second click.
 */
export function useSettled(ms: number): boolean {
  const [settled, setSettled] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const begin = () => {
      clearTimeout(timer);
      setSettled(false);
      if (document.visibilityState === "visible") timer = setTimeout(() => setSettled(true), ms);
    };
    begin();
    document.addEventListener("visibilitychange", begin);
    window.addEventListener("focus", begin);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", begin);
      window.removeEventListener("focus", begin);
    };
  }, [ms]);
  return settled;
}
