import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { copyText } from "./copy-text.ts";
import { IconButton } from "./IconButton.tsx";

export interface CopyButtonProps {
  /** Read at the click, so that a long text need not be made before it is wanted. */
  text: string | (() => string);
  /** What is copied, as the button's name: "Copy the request id". */
  label: string;
  className?: string | undefined;
}

/** Copies, and says "Copied" only once the clipboard has it. Not for keys: those go through the reveal. */
export function CopyButton({ text, label, className }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<"copied" | "failed" | null>(null);
  useEffect(() => {
    if (!outcome) return;
    const timer = window.setTimeout(() => setOutcome(null), 2000);
    return () => window.clearTimeout(timer);
  }, [outcome]);
  async function copy() {
    setOutcome((await copyText(typeof text === "string" ? text : text())) ? "copied" : "failed");
  }
  const said =
    outcome === "copied"
      ? "Copied"
      : outcome === "failed"
        ? "Not copied: the browser refused. Select the text and press Ctrl+C."
        : "";
  return (
    <span className={className}>
      <IconButton label={label} onClick={() => void copy()}>
        {outcome === "copied" ? (
          <Check size={13} aria-hidden="true" className="text-ok-fg" />
        ) : (
          <Copy size={13} aria-hidden="true" />
        )}
      </IconButton>
      <span role="status" className={outcome === "failed" ? "text-12 text-bad-fg" : "sr-only"}>
        {said}
      </span>
    </span>
  );
}
