import { Check, Copy } from "lucide-react";
import { Button } from "./Button.tsx";
import { copyText } from "./copy-text.ts";
import { IconButton } from "./IconButton.tsx";
import { useTemporaryState } from "./use-temporary-state.ts";

export interface CopyButtonProps {
  /** Read at the click, so that a long text need not be made before it is wanted. */
  text: string | (() => string);
  /** What is copied, as the button's name: "Copy the request id". */
  label: string;
  /** Shown next to the icon, where there are two such buttons. The label begins with this text. */
  words?: string | undefined;
  /** Why there is nothing to copy now. */
  disabledReason?: string | false | undefined;
  className?: string | undefined;
}

/** Copies, and says "Copied" only once the clipboard has it. Not for keys: those go through the reveal. */
export function CopyButton({ text, label, words, disabledReason, className }: CopyButtonProps) {
  const [outcome, setOutcome] = useTemporaryState<"copied" | "failed">(2_000);
  async function copy() {
    setOutcome((await copyText(typeof text === "string" ? text : text())) ? "copied" : "failed");
  }
  const said =
    outcome === "copied"
      ? "Copied"
      : outcome === "failed"
        ? "Not copied: the browser refused. Select the text and press Ctrl+C."
        : "";
  const icon =
    outcome === "copied" ? (
      <Check size={13} aria-hidden="true" className="text-ok-fg" />
    ) : (
      <Copy size={13} aria-hidden="true" />
    );
  return (
    <span className={className}>
      {words === undefined ? (
        <IconButton label={label} disabledReason={disabledReason} onClick={() => void copy()}>
          {icon}
        </IconButton>
      ) : (
        <Button size="sm" aria-label={label} disabledReason={disabledReason} onClick={() => void copy()}>
          <span className="inline-flex items-center gap-1.5">
            {icon} {words}
          </span>
        </Button>
      )}
      <span role="status" className={outcome === "failed" ? "text-12 text-bad-fg" : "sr-only"}>
        {said}
      </span>
    </span>
  );
}
