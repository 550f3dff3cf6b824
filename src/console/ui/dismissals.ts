export type DismissReason = "escape" | "close" | "outside";

interface Dismissals {
  onEscapeKeyDown: (event: KeyboardEvent) => void;
  onInteractOutside: (event: Event & { detail: { originalEvent: Event } }) => void;
}

/** Radix's own ways of closing, turned into questions to the owner. */
export function dismissals(onDismiss: (reason: DismissReason) => void, outside: "dismiss" | "ignore"): Dismissals {
  return {
    onEscapeKeyDown(event) {
      // An open list inside, or a field that says so, takes the first Escape; whichever of the two listeners runs first.
      const taken = event.defaultPrevented;
      event.preventDefault();
      const target = event.target instanceof Element ? event.target : null;
      if (taken || target?.closest('[role="combobox"][aria-expanded="true"], [role="menu"], [data-takes-escape]'))
        return;
      onDismiss("escape");
    },
    onInteractOutside(event) {
      event.preventDefault();
      if (outside === "dismiss" && event.detail.originalEvent.type === "pointerdown") onDismiss("outside");
    },
  };
}
