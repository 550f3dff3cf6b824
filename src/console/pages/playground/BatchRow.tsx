import { X } from "lucide-react";
import { formatCount } from "../../format.ts";
import { cx } from "../../ui/cx.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { tip } from "../../ui/Tooltip.tsx";
import { GroupShape } from "./GroupShape.tsx";
import { tokensOf } from "./row-tokens.ts";
import type { Row } from "./rows.ts";

interface BatchRowProps {
  row: Row;
  /** counted from 0 */
  place: number;
  top: number;
  /** the group's place among the groups; -1 without one */
  group: number;
  flag: { short: string; long?: string } | null;
  /** some row has a label, so that each has a field for one */
  labelled: boolean;
  marked: boolean;
  onChange: (row: Row) => void;
  onLines: (text: string) => void;
  onAdd: () => void;
  /** to the row above (-1) or below (1) */
  onStep: (by: -1 | 1) => void;
  onRemove: () => void;
  onSelect: () => void;
}

/** One row of a batch: number, text, role, group, tokens. Enter adds one below; a paste of several lines splits. */
export function BatchRow(props: BatchRowProps) {
  const { row, place, top, group, flag, labelled, marked, onChange, onLines, onAdd, onStep, onRemove, onSelect } =
    props;
  const other = row.role === "query" ? "document" : "query";
  return (
    <li
      style={{ top }}
      className={cx(
        "group absolute inset-x-0 flex h-7 items-center gap-2 pr-2 pl-6 @max-[400px]/input:gap-1.5 @max-[400px]/input:pl-2",
        marked && "bg-accent-bg shadow-[inset_3px_0_0_var(--accent)]",
      )}
    >
      <span className="w-8 shrink-0 text-right text-12 text-fg-3 tabular-nums">{place + 1}</span>
      <input
        aria-label={`Row ${place + 1}`}
        data-place={place}
        value={row.text}
        spellCheck={false}
        autoComplete="off"
        placeholder={place === 0 ? "Type, or paste many lines" : undefined}
        onFocus={onSelect}
        onChange={(event) => onChange({ ...row, text: event.target.value })}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown" || event.key === "ArrowUp") {
            event.preventDefault();
            return onStep(event.key === "ArrowDown" ? 1 : -1);
          }
          if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing)
            return undefined;
          event.preventDefault();
          return onAdd();
        }}
        onPaste={(event) => {
          const text = event.clipboardData.getData("text");
          if (!text.trimEnd().includes("\n")) return;
          event.preventDefault();
          onLines(text);
        }}
        className="min-w-0 grow self-stretch bg-transparent text-ellipsis -outline-offset-2"
      />
      {flag && (
        <span
          className="max-w-32 shrink-0 truncate text-11 text-warn-fg @max-[400px]/input:max-w-20"
          {...tip(flag.long ?? flag.short)}
        >
          {flag.short}
        </span>
      )}
      <button
        type="button"
        aria-label={`Row ${place + 1} is a ${row.role}; make it a ${other}`}
        {...tip(`A ${row.role}`)}
        onClick={() => onChange({ ...row, role: other })}
        className={cx(
          "size-6 shrink-0 rounded-1 text-11",
          row.role === "query" ? "font-semibold text-accent" : "text-fg-3",
        )}
      >
        {row.role === "query" ? "Q" : "D"}
      </button>
      {labelled && (
        <span className="flex w-20 shrink-0 items-center gap-1.5 self-stretch text-12 text-fg-2">
          <GroupShape place={group} />
          <input
            aria-label={`Label of row ${place + 1}`}
            value={row.group}
            autoComplete="off"
            onChange={(event) => onChange({ ...row, group: event.target.value })}
            className="w-full min-w-0 self-stretch bg-transparent text-ellipsis -outline-offset-2"
          />
        </span>
      )}
      <span
        className={cx(
          "w-8 shrink-0 text-right text-12 text-fg-3 tabular-nums",
          labelled && "@max-[400px]/input:hidden",
        )}
      >
        {formatCount(tokensOf(row))}
      </span>
      <IconButton
        label={`Remove row ${place + 1}`}
        className="size-6 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 max-md:opacity-100"
        onClick={onRemove}
      >
        <X size={12} aria-hidden="true" />
      </IconButton>
    </li>
  );
}
