import { useId, type KeyboardEvent, type ReactNode } from "react";

export interface GateProps {
  /** The question, one sentence. */
  title: ReactNode;
  /** What happens if it is answered carelessly. */
  children?: ReactNode;
  /** The buttons, the safe one first: it takes focus. */
  actions: ReactNode;
  /** brass only where what would be lost is shown once */
  tone?: "plain" | "brass";
}

const tones = { plain: "bg-bg-2 border-line-2", brass: "bg-brass-bg border-brass-line" } as const;

/** Rises from the panel's foot when leaving would lose something; hand it to `Panel` as `gate`. */
export function Gate({ title, children, actions, tone = "plain" }: GateProps) {
  const id = useId();
  // The dialog's own focus trap does not know of `inert` and would send Tab to what cannot take it.
  function cycle(event: KeyboardEvent<HTMLDivElement>) {
    if (event.key !== "Tab") return;
    const all = [...event.currentTarget.querySelectorAll("button")];
    const from = all.indexOf(document.activeElement as HTMLButtonElement);
    event.preventDefault();
    event.stopPropagation();
    all.at((from + (event.shiftKey ? -1 : 1)) % all.length)?.focus();
  }
  return (
    <div
      role="group"
      aria-labelledby={`${id}-title`}
      aria-describedby={children ? `${id}-text` : undefined}
      className={`shrink-0 grid gap-0.5 px-6 max-md:px-4 pt-4 pb-5 border-t-2 anim-rise ${tones[tone]}`}
    >
      <p id={`${id}-title`} className="text-14 font-semibold">
        {title}
      </p>
      {children && (
        <p id={`${id}-text`} className="text-fg-2">
          {children}
        </p>
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys belong to the buttons in it */}
      <div ref={focusFirstButton} onKeyDown={cycle} className="flex flex-wrap gap-2 pt-3">
        {actions}
      </div>
    </div>
  );
}

function focusFirstButton(buttons: HTMLElement | null): void {
  buttons?.querySelector("button")?.focus();
}
