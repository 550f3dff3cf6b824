/** Room beside the chosen tab, in which the next one is seen to go on. */
const roomPx = 40;

/**
 * As the ref of a row of tabs that scrolls sideways where there is little room: it scrolls to the chosen tab, and says
 * with `data-more` that there are others to the right.
 */
export function watchTabs(row: HTMLElement | null): (() => void) | undefined {
  if (row === null) return undefined;
  const noteMore = () => row.toggleAttribute("data-more", row.scrollLeft + row.clientWidth < row.scrollWidth - 1);
  const show = () => {
    const chosen = row.querySelector("[aria-selected=true], [aria-current]")?.getBoundingClientRect();
    const { left, right } = row.getBoundingClientRect();
    if (chosen) {
      row.scrollLeft += Math.max(0, chosen.right + roomPx - right) - Math.max(0, left + roomPx - chosen.left);
    }
    noteMore();
  };
  const size = new ResizeObserver(() => {
    row.scrollLeft = 0;
    show();
  });
  const choice = new MutationObserver(() => {
    show();
    // a choice that is in the address: the router puts back what was scrolled there
    requestAnimationFrame(show);
  });
  size.observe(row);
  choice.observe(row, { subtree: true, attributeFilter: ["aria-selected", "aria-current"] });
  row.addEventListener("scroll", noteMore, { passive: true });
  return () => {
    size.disconnect();
    choice.disconnect();
    row.removeEventListener("scroll", noteMore);
  };
}
