import { useLayoutEffect } from "react";

/**
 * Widens one column of a table that scrolls sideways, so that where it begins no column is cut in two, neither by the
 * edge of the region nor by the menus that stay in sight there: half a number reads like another number. That there is
 * more is said by `data-more`, for a shadow at that edge.
 */
export function useWholeColumns(region: HTMLElement | null, shown: unknown): void {
  useLayoutEffect(() => {
    if (!region) return undefined;
    let undo = () => {};
    const fit = () => {
      undo();
      undo = widen(region);
      noteMore();
    };
    const watch = new ResizeObserver(fit);
    const noteMore = () => {
      const { scrollLeft, clientWidth, scrollWidth } = region;
      region.toggleAttribute("data-more", scrollLeft + clientWidth < scrollWidth - 1);
    };
    // before anything is painted: the observer's first call may come a frame later, and columns would be seen to move
    fit();
    watch.observe(region);
    region.addEventListener("scroll", noteMore, { passive: true });
    return () => {
      watch.disconnect();
      region.removeEventListener("scroll", noteMore);
      undo();
    };
  }, [region, shown]);
}

const phone = matchMedia("(width < 768px)");

function widen(region: HTMLElement): () => void {
  const table = region.querySelector("table");
  const heads = [...(table?.tHead?.rows[0]?.cells ?? [])];
  const widths = heads.map((head) => head.getBoundingClientRect().width);
  const menus = heads.findIndex(isKeptAtEnd);
  let spare = region.clientWidth - (widths[menus] ?? 0);
  let whole = -1;
  for (const [index, width] of widths.entries()) {
    if (index === menus) return () => undefined;
    if (width > spare + 1.5) break;
    spare -= width;
    if (width > 0) whole = index;
  }
  if (whole === -1 || whole === heads.length - 1) return () => undefined;
  const names = heads.findIndex((head) => !head.querySelector("input"));
  // names have a use for it; on a phone they stay in sight, and would leave the others no room to scroll in
  const wider = phone.matches ? whole : names;
  if (phone.matches && heads[whole + 1]?.dataset["picture"] !== undefined) return () => undefined;
  if (phone.matches && whole === names) return () => undefined;
  // a table that finds its own widths keeps to no cell's `width` once it has too little room
  const property = table && getComputedStyle(table).tableLayout === "fixed" ? "width" : "minWidth";
  const columns = table?.querySelectorAll("col");
  const undo = [...new Set([names, wider])].map((index) => {
    const { style } = columns?.[index] ?? heads[index] ?? region;
    const before = style[property];
    style[property] = `${(widths[index] ?? 0) + (index === wider ? spare : 0)}px`;
    return () => (style[property] = before);
  });
  return () => undo.forEach((each) => each());
}

function isKeptAtEnd(head: HTMLElement): boolean {
  const { position, right } = getComputedStyle(head);
  return position === "sticky" && right === "0px";
}
