import type { Page } from "@playwright/test";

/**
 * What is wrong with the page as it is laid out now: sideways scroll, what can be used but is out of sight and in no
 * region that scrolls, fields without room, targets under 24 px, texts that lie over each other, texts that are lower
 * than their own line, labels of charts that are cut off, and words that are wider than their button.
 * @param fitsFrom the width in px from which tables need no sideways scroll
 */
export function layoutFaults(page: Page, fitsFrom: number): Promise<string[]> {
  return page.evaluate((tablesFitFrom) => {
    const width = document.documentElement.clientWidth;
    const found: string[] = [];
    if (document.documentElement.scrollWidth > width) {
      found.push(`the page is ${document.documentElement.scrollWidth} px wide`);
    }
    const say = (element: Element, box: DOMRect) =>
      `${Math.round(box.left)}..${Math.round(box.right)}×${Math.round(box.top)}..${Math.round(box.bottom)} ${(element.textContent || element.outerHTML).trim().slice(0, 60)}`;
    // what is said to screen readers alone, at this width
    const isSaidOnly = (element: Element | null): boolean =>
      element !== null && (getComputedStyle(element).clipPath === "inset(50%)" || isSaidOnly(element.parentElement));
    const shown = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      element.closest("[inert], [aria-hidden=true]") === null &&
      !isSaidOnly(element);
    /** the part of a box that its scrolling and clipping ancestors let through */
    const visible = (element: Element, box: DOMRect): DOMRect | null => {
      let { left, right, top, bottom } = box;
      for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) {
        if (!/auto|scroll|hidden|clip/.test(getComputedStyle(at).overflow)) continue;
        const frame = at.getBoundingClientRect();
        left = Math.max(left, frame.left);
        right = Math.min(right, frame.right);
        top = Math.max(top, frame.top);
        bottom = Math.min(bottom, frame.bottom);
      }
      return right - left > 1 && bottom - top > 1 ? new DOMRect(left, top, right - left, bottom - top) : null;
    };
    const scrolls = (element: Element | null): boolean =>
      element !== null && (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
    /** a phone shows a part of such a column, as the design has it */
    const startsWithPicture = (table: HTMLTableElement, cell: HTMLTableCellElement) =>
      table.tHead?.rows[0]?.cells[cell.cellIndex]?.dataset["picture"] !== undefined;
    const stays = (element: Element | null): boolean =>
      element !== null && (/sticky|fixed/.test(getComputedStyle(element).position) || stays(element.parentElement));
    /** what stays while the rest scrolls may lie over it, as far as it hides it */
    const covers = (element: Element | null): boolean => {
      if (element === null) return false;
      const { position, backgroundColor } = getComputedStyle(element);
      const isOpaque = !/^rgba\(.* 0\)$|^transparent$/.test(backgroundColor);
      return (/sticky|fixed/.test(position) && isOpaque) || covers(element.parentElement);
    };

    const targets = [...document.querySelectorAll("button, a[href], input, select, textarea, summary, [role=tab]")];
    /** WCAG 2.5.8: another target lies inside the 24 px circle around the middle of a small one */
    const isCrowded = (target: Element, box: DOMRect) => {
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
      return targets.filter(shown).some((other) => {
        const near = (other.closest("label") ?? other).getBoundingClientRect();
        const apart = other !== target && !other.contains(target) && !target.contains(other) && near.width > 1;
        const across = Math.max(near.left - x, 0, x - near.right);
        return apart && Math.hypot(across, Math.max(near.top - y, 0, y - near.bottom)) < 12;
      });
    };
    for (const target of targets.filter(shown)) {
      const box = (target.closest("label") ?? target).getBoundingClientRect();
      if (box.width <= 1 && box.height <= 1) continue;
      if ((box.right > width + 1 || box.left < -1) && !scrolls(target.parentElement)) {
        found.push(`out of sight: ${say(target, box)}`);
      }
      const typed = target.matches("input:not([type=checkbox], [type=radio]), textarea, select");
      if (typed && box.width < 40) found.push(`no room to type: ${say(target, box)}`);
      const inText = target.tagName === "A" && getComputedStyle(target).display === "inline";
      if (
        !inText &&
        Math.min(box.width, box.height) < 23.5 &&
        (target.tagName === "BUTTON" || isCrowded(target, box))
      ) {
        found.push(`too small: ${say(target, box)}`);
      }
    }

    // these tables fit from a width on, under which they scroll sideways
    for (const table of width < tablesFitFrom ? [] : document.querySelectorAll("main table")) {
      const over = table.getBoundingClientRect().width - (table.parentElement?.clientWidth ?? 0);
      if (over > 1)
        found.push(
          `a table is ${Math.round(over)} px wider than its place: ${say(table, table.getBoundingClientRect())}`,
        );
    }

    // where a table begins, its menus are in sight, and no figure is cut in two by them or by the table's end
    for (const table of document.querySelectorAll<HTMLTableElement>("main table")) {
      const region = table.parentElement;
      if (!region || !scrolls(region) || region.scrollLeft > 0) continue;
      const menus = [...table.querySelectorAll("th:last-child, td:last-child")]
        .filter(stays)
        .map((cell) => cell.getBoundingClientRect());
      const end = Math.min(region.getBoundingClientRect().right, ...menus.map(({ left }) => left));
      if (width >= 768) {
        for (const menu of table.querySelectorAll("button[aria-haspopup=menu]")) {
          const box = menu.getBoundingClientRect();
          if (shown(menu) && box.right > region.getBoundingClientRect().right)
            found.push(`a menu to scroll to: ${say(menu, box)}`);
        }
      }
      for (const cell of table.querySelectorAll<HTMLTableCellElement>("td, th")) {
        const box = cell.getBoundingClientRect();
        if (
          /^[-–<\d]|\$\d/.test(cell.textContent) &&
          shown(cell) &&
          !cell.matches("[colspan]") &&
          !(width < 768 && startsWithPicture(table, cell)) &&
          !/sticky/.test(getComputedStyle(cell).position) &&
          box.left < end - 2 &&
          box.right > end + 2
        ) {
          found.push(`cut in two: ${say(cell, box)}`);
        }
      }
    }

    const texts: { node: Node; element: Element; box: DOMRect }[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      if (!element || node.textContent?.trim() === "" || !shown(element) || covers(element)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const frame = element.getBoundingClientRect();
      const clips = /hidden|clip/.test(getComputedStyle(element).overflowY);
      for (const line of range.getClientRects()) {
        if (clips && frame.height < line.height - 2) found.push(`lower than its line: ${say(element, frame)}`);
        if (element.matches("label:has([type=radio])") && line.width > frame.width) {
          found.push(`wider than its button: ${say(element, frame)}`);
        }
        const isCut = clips && frame.width > 0 && element.closest("figure") !== null && line.width > frame.width + 1;
        if (isCut && getComputedStyle(element).textOverflow !== "ellipsis") {
          found.push(`a label of a chart is cut off: ${say(element, frame)}`);
        }
        const box = visible(element, line);
        if (box) texts.push({ node, element, box });
      }
    }
    for (const [index, { node, element, box }] of texts.entries()) {
      for (const { node: another, element: other, box: near } of texts.slice(index + 1)) {
        if (node === another) continue;
        const across = Math.min(box.right, near.right) - Math.max(box.left, near.left);
        const down = Math.min(box.bottom, near.bottom) - Math.max(box.top, near.top);
        if (across > 2 && down > 4) found.push(`over each other: ${say(element, box)} and ${say(other, near)}`);
      }
    }
    return found.slice(0, 8);
  }, fitsFrom);
}
