import { memo, useMemo } from "react";
import { type Block, blocksOf, spansOf } from "./markdown.ts";

/** An answer as it comes: only the block that grows is drawn again. */
export function AnswerText({ text }: { text: string }) {
  const blocks = useMemo(() => blocksOf(text), [text]);
  return (
    <div className="grid min-w-0 gap-3" dir="auto">
      {/* blocks only ever grow at the end, so their places are their identities */}
      {blocks.map(({ kind, text: own }, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <OneBlock key={index} kind={kind} text={own} />
      ))}
    </div>
  );
}

const OneBlock = memo(function OneBlock({ kind, text }: Block) {
  if (kind === "code")
    return (
      <pre
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls sideways
        tabIndex={0}
        role="region"
        aria-label="Code"
        dir="ltr"
        className="overflow-x-auto border-l-2 border-line-2 bg-bg-2 px-3.5 py-2.5 font-mono text-[12px] leading-[19px] -outline-offset-2"
      >
        {text}
      </pre>
    );
  if (kind === "heading") return <p className="font-semibold wrap-anywhere">{text}</p>;
  return (
    <p className="wrap-anywhere whitespace-pre-wrap">
      {spansOf(text).map((span, index) => {
        // oxlint-disable-next-line react/no-array-index-key
        if (span.kind === "code") return <code key={index}>{span.text}</code>;
        // oxlint-disable-next-line react/no-array-index-key
        return span.kind === "strong" ? <strong key={index}>{span.text}</strong> : span.text;
      })}
    </p>
  );
});
