import { cx } from "./cx.ts";
import { codeText, type CodeKind, type CodeToken } from "./code-tokens.ts";
import { CopyButton } from "./CopyButton.tsx";

const tones: Record<CodeKind, string | undefined> = {
  plain: undefined,
  string: "text-accent",
  keyword: "text-fg-3",
  variable: "text-brass",
  comment: "text-fg-3",
};

export interface CodeBlockProps {
  tokens: readonly CodeToken[];
  /** Names the block for screen readers, as it can be scrolled by the arrows. */
  label: string;
  /** Adds a copy button; a function gives another text than is shown, such as one with the real key. */
  copy?: boolean | (() => string) | undefined;
  size?: "sm" | "md" | undefined;
  /** Without the rule at its left, under tabs. */
  flat?: boolean | undefined;
  /** Breaks long lines instead of scrolling sideways. */
  wrap?: boolean | undefined;
  className?: string | undefined;
}

/** Source on the wall's color with a rule at its left; scrolls sideways unless lines are to be broken. */
export function CodeBlock({ tokens, label, copy, size = "md", flat, wrap, className }: CodeBlockProps) {
  return (
    <div className={cx("relative min-w-0", className)}>
      <pre
        tabIndex={0}
        role="region"
        aria-label={label}
        translate="no"
        className={cx(
          "px-3.5 py-2.5 overflow-x-auto bg-bg-2 border-line-2 font-mono tracking-[-0.01em] [font-variant-ligatures:none] -outline-offset-2",
          !flat && "border-l-2",
          wrap && "whitespace-pre-wrap [overflow-wrap:anywhere]",
          size === "sm" ? "text-[11px] leading-[19px]" : "text-[12px] leading-[19px]",
        )}
      >
        <code>
          {tokens.map((token, index) => (
            <span key={index} className={tones[token.kind]}>
              {token.text}
            </span>
          ))}
        </code>
      </pre>
      {copy && (
        <CopyButton
          label={`Copy: ${label}`}
          text={copy === true ? () => codeText(tokens) : copy}
          className="absolute top-1 right-1 bg-bg-2 rounded-2"
        />
      )}
    </div>
  );
}
