import { useEffect, useId, useRef, type ReactNode } from "react";

export interface GateProps {
  /** The question, one sentence. */
  title: ReactNode;
  /** What happens if it is answered carelessly. */
  children?: ReactNode;
  /** The buttons, the safe one first: it takes focus. */
  actions: ReactNode;
}

/** Rises from the panel's foot when leaving would lose something; hand it to `Panel` as `gate`. */
export function Gate({ title, children, actions }: GateProps) {
  const id = useId();
  const buttons = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    buttons.current?.querySelector("button")?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <div
      role="group"
      aria-labelledby={`${id}-title`}
      aria-describedby={children ? `${id}-text` : undefined}
      className="shrink-0 grid gap-0.5 px-6 max-md:px-4 pt-4 pb-5 bg-brass-bg border-t-2 border-brass-line anim-rise"
    >
      <p id={`${id}-title`} className="text-14 font-semibold">
        {title}
      </p>
      {children && (
        <p id={`${id}-text`} className="text-fg-2">
          {children}
        </p>
      )}
      <div ref={buttons} className="flex flex-wrap gap-2 pt-3">
        {actions}
      </div>
    </div>
  );
}
