import { useLayoutEffect, useRef, type Ref } from "react";
import type { Vault } from "./vault.ts";

interface SecretTextProps {
  vault: Vault;
  /** what it is: "API key" */
  term: string;
  /** the server's masked label: prefix, first three, `...`, last four */
  label: string;
  shown: boolean;
  /** the element that holds the text while it is shown, for selecting it */
  ref: Ref<HTMLElement>;
}

/** Always as many, so that the length does not show. */
const dots = "•".repeat(20);

/**
 * A secret, masked or shown. The text is written into the page by hand and taken out again: it is never a prop, a state
 * or a child, so that developer tools and error reports of React do not have it.
 */
export function SecretText({ vault, term, label, shown, ref }: SecretTextProps) {
  const text = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const element = text.current;
    if (!element || !shown) return undefined;
    vault.withValue((secret) => {
      element.textContent = secret;
    });
    const clear = () => {
      element.textContent = "";
    };
    const stop = vault.onDestroy(clear);
    return () => {
      stop();
      clear();
    };
  }, [vault, shown]);
  const [head = "", tail = ""] = label.split("...");
  return (
    <div
      role="group"
      aria-label={`${term}, ${shown ? "shown" : "hidden"}`}
      translate="no"
      data-private
      className="pt-2.5 pb-3.5 font-mono text-[17px]/6 tracking-[-0.01em] print:hidden"
    >
      <code
        ref={(element) => {
          text.current = element;
          if (typeof ref === "function") ref(element);
          else if (ref) ref.current = element;
        }}
        tabIndex={shown ? 0 : -1}
        hidden={!shown}
        className="rounded-1 break-all select-all"
      />
      {!shown && (
        <span
          tabIndex={0}
          className="flex min-w-0 items-center rounded-1 whitespace-nowrap"
          aria-label={`${term}, hidden: begins ${head}, ends ${tail}`}
          role="img"
        >
          {head}
          <span className="mx-1.5 min-w-0 overflow-hidden text-[13px] tracking-[1px] text-brass">{dots}</span>
          {tail}
        </span>
      )}
    </div>
  );
}
