import { useState } from "react";
import { capital, formatCount } from "../../format.ts";
import { Button } from "../../ui/Button.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { rowName } from "./refusal-messages.ts";

interface LongRowsProps {
  count: number;
  /** of them, by its number in the input */
  first: { number: number; text: string };
  /** tokens that the model takes */
  limit: number;
  /** too long a text is cut by the gateway */
  cut: boolean;
  onSplit: (size: number, overlap: number) => void;
  onCut: (cut: boolean) => void;
}

/** Rows that are too long: split them, have them cut, or send them as they are and see them refused. */
export function LongRows({ count, first, limit, cut, onSplit, onCut }: LongRowsProps) {
  const [size, setSize] = useState(String(Math.min(limit, 512)));
  const [overlap, setOverlap] = useState("50");
  const [parts, shared] = [Number(size), Number(overlap)];
  const wrong =
    !Number.isSafeInteger(parts) || parts < 8 || parts > limit
      ? `Parts have 8 to ${formatCount(limit)} tokens`
      : !Number.isSafeInteger(shared) || shared < 0 || shared >= parts
        ? "The overlap must be shorter than a part"
        : null;
  return (
    <Notice tone="warn" role="status">
      <p>
        {count === 1
          ? `${capital(rowName(first))} has`
          : `${formatCount(count)} rows, the first is ${rowName(first)}, have`}{" "}
        more than the {formatCount(limit)} tokens that the model takes, as estimated here
        {cut ? " and will be cut at the end." : `: the gateway will refuse ${count === 1 ? "it" : "them"}.`}
      </p>
      <div className="flex flex-wrap items-center gap-2 pt-1.5">
        <Button size="sm" disabledReason={wrong} onClick={() => onSplit(parts, shared)}>
          Split into chunks
        </Button>
        of
        <TextInput
          size="sm"
          figures
          inputMode="numeric"
          className="w-16"
          aria-label="Tokens in a part"
          value={size}
          onChange={(event) => setSize(event.target.value)}
        />
        tokens, overlapping by
        <TextInput
          size="sm"
          figures
          inputMode="numeric"
          className="w-14"
          aria-label="Tokens that parts share"
          value={overlap}
          onChange={(event) => setOverlap(event.target.value)}
        />
        <Button size="sm" variant="quiet" onClick={() => onCut(!cut)}>
          {cut ? "Do not cut" : "Cut at the end"}
        </Button>
      </div>
    </Notice>
  );
}
