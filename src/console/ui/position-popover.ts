export interface Placement {
  /** Pixels between the anchor and the box. */
  gap: number;
  align: "start" | "center" | "end";
  /** at the left of its anchor, where there is room, so that nothing below is covered */
  atSide?: boolean;
}

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const margin = 8;

/** Where a box of this size goes: below its anchor unless said otherwise, above if there is more room, always inside the window. */
export function position(
  size: { width: number; height: number },
  anchor: Box,
  view: { width: number; height: number },
  { gap, align, atSide = false }: Placement,
): { left: number; top: number } {
  const fromLeft = anchor.left - gap - size.width;
  if (atSide && fromLeft >= margin) {
    const middle = (anchor.top + anchor.bottom - size.height) / 2;
    const top = Math.max(margin, Math.min(middle, view.height - size.height - margin));
    return { left: Math.round(fromLeft), top: Math.round(top) };
  }
  const below = view.height - anchor.bottom - gap - margin;
  const above = anchor.top - gap - margin;
  const goesAbove = size.height > below && above > below;
  const top = goesAbove ? anchor.top - gap - size.height : anchor.bottom + gap;
  const wanted = {
    start: anchor.left,
    center: (anchor.left + anchor.right - size.width) / 2,
    end: anchor.right - size.width,
  }[align];
  const left = Math.min(wanted, view.width - size.width - margin);
  return { left: Math.round(Math.max(left, margin)), top: Math.round(Math.max(top, margin)) };
}

/** Positions an open popover next to its anchor. */
export function positionPopover(element: HTMLElement, anchor: Box, placement: Placement): void {
  const view = { width: document.documentElement.clientWidth, height: window.innerHeight };
  const { left, top } = position({ width: element.offsetWidth, height: element.offsetHeight }, anchor, view, placement);
  element.style.left = `${left}px`;
  element.style.top = `${top}px`;
}
