export type DismissReason = "escape" | "close" | "outside";

interface Dismissals {
  onEscapeKeyDown: (event: KeyboardEvent) => void;
  onInteractOutside: (event: Event & { detail: { originalEvent: Event } }) => void;
}

/** Radix's own ways of closing, turned into questions to the owner. */
export function dismissals(onDismiss: (reason: DismissReason) => void, outside: "dismiss" | "ignore"): Dismissals {
  return {
    onEscapeKeyDown(event) {
      event.preventDefault();
      // An open list inside takes the first Escape for itself.
      const target = event.target instanceof Element ? event.target : null;
      if (target?.closest('[role="combobox"][aria-expanded="true"]')) return;
      onDismiss("escape");
    },
    onInteractOutside(event) {
      event.preventDefault();
      if (outside === "dismiss" && event.detail.originalEvent.type === "pointerdown") onDismiss("outside");
    },
  };
}
