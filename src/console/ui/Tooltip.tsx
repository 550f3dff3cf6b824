import { useEffect, useId, useRef, useState } from "react";
import { positionPopover } from "./position-popover.ts";
import { useListener } from "./use-listener.ts";

const openAfterMs = 400;

/**
 * Gives an element a tooltip: spread the result on it. One layer (`TooltipLayer`) serves the whole page, so a table may
 * carry thousands of them at the cost of an attribute each. Never the only place where something is said.
 */
export function tip(text: string | false | null | undefined): { "data-tip"?: string } {
  return text ? { "data-tip": text } : {};
}

interface Shown {
  target: HTMLElement;
  text: string;
}

function targetOf(event: Event): HTMLElement | null {
  return event.target instanceof Element ? event.target.closest<HTMLElement>("[data-tip]") : null;
}

/** Mount once. Shows on hover after 400 ms and at once on keyboard focus; Escape hides; the tip itself may be hovered (WCAG 1.4.13). */
export function TooltipLayer() {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<Shown | null>(null);

  const timer = useRef(0);

  function show(target: HTMLElement, afterMs: number) {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => {
      const text = target.dataset["tip"];
      if (text && target.isConnected) setShown({ target, text });
    }, afterMs);
  }
  function hide(afterMs: number) {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setShown(null), afterMs);
  }
  const hideNow = () => hide(0);
  useListener(document, "pointerover", (event) => {
    if (event.pointerType === "touch") return;
    const target = targetOf(event);
    if (target) show(target, shown ? 0 : openAfterMs);
    else if (box.current?.contains(event.target as Node)) window.clearTimeout(timer.current);
    else hide(shown ? 120 : 0);
  });
  useListener(document, "pointerdown", hideNow, { capture: true });
  useListener(document, "focusin", (event) => {
    const target = targetOf(event);
    if (target?.matches(":focus-visible") && event.target === target) show(target, 0);
    else hideNow();
  });
  useListener(document, "focusout", hideNow);
  useListener(
    document,
    "keydown",
    (event) => {
      if (event.key === "Escape") hideNow();
    },
    { capture: true },
  );
  useListener(document, "scroll", hideNow, { capture: true });

  useEffect(() => {
    const element = box.current;
    if (!element || !shown) return;
    const before = shown.target.getAttribute("aria-describedby");
    const named = shown.target.getAttribute("aria-label");
    element.showPopover();
    // in a table the next row's button is right below, and the tip would take its click
    const atSide = shown.target.closest("td") !== null && shown.target.matches("button");
    positionPopover(element, shown.target.getBoundingClientRect(), { gap: 6, align: "center", atSide });
    // A tip that only repeats the name would be read twice.
    if (named !== shown.text) shown.target.setAttribute("aria-describedby", before ? `${before} ${id}` : id);
    return () => {
      if (element.isConnected) element.hidePopover();
      if (named === shown.text) return;
      if (before) shown.target.setAttribute("aria-describedby", before);
      else shown.target.removeAttribute("aria-describedby");
    };
  }, [shown, id]);

  return (
    <div
      ref={box}
      id={id}
      role="tooltip"
      popover="manual"
      className="fixed inset-auto m-0 max-w-80 px-2 py-1 text-12 whitespace-pre-line bg-ink text-on-ink rounded-2 border border-transparent shadow-menu pointer-events-auto"
    >
      {shown?.text}
    </div>
  );
}
