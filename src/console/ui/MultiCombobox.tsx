import { X } from "lucide-react";
import { useRef, useState, type ReactNode } from "react";
import { cx } from "./cx.ts";
import type { FieldControl } from "./Field.tsx";
import { Listbox } from "./Listbox.tsx";
import type { ComboOption, LoadOptions } from "./listbox.ts";
import { frameClass } from "./TextInput.tsx";
import { useCombobox } from "./use-combobox.ts";

interface Described {
  label: string;
  unknown?: boolean | undefined;
}

export interface MultiComboboxProps extends Partial<FieldControl> {
  label: string;
  options?: readonly ComboOption[] | undefined;
  load?: LoadOptions | undefined;
  values: readonly string[];
  onChange: (values: string[]) => void;
  /** The words of a chosen value, and whether it is one that no longer exists. */
  describe?: ((value: string) => Described) | undefined;
  placeholder?: string | undefined;
  emptyText?: string | undefined;
  /** So many chips are shown, the rest as "+12", which calls `onExpand`. */
  collapseAfter?: number | undefined;
  onExpand?: (() => void) | undefined;
  /** At the right of the input, such as "Paste hashes". */
  aside?: ReactNode;
  className?: string | undefined;
}

/**
 * Several of many: chips of what is chosen above the input. Backspace in the empty input marks the last one and, pressed
 * again, removes it.
 */
export function MultiCombobox(props: MultiComboboxProps) {
  const {
    label,
    options,
    load,
    values,
    onChange,
    describe,
    collapseAfter = values.length,
    onExpand,
    placeholder,
    emptyText = "Nothing matches",
    aside,
    className,
    ...control
  } = props;
  const anchor = useRef<HTMLSpanElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [marked, setMarked] = useState<string | null>(null);
  const shown = values.slice(0, collapseAfter);
  const last = shown.at(-1);
  const combo = useCombobox({
    options,
    load,
    onChoose: ({ value }) => choose(value),
    onOtherKey(event) {
      if (event.key !== "Backspace" || combo.query !== "" || last === undefined) return setMarked(null);
      if (marked === last) toggle(last);
      setMarked(marked === last ? null : last);
    },
  });
  function toggle(value: string) {
    onChange(values.includes(value) ? values.filter((one) => one !== value) : [...values, value]);
  }
  /** What was typed found it, and is done with. */
  function choose(value: string) {
    toggle(value);
    combo.setQuery("");
  }
  function words(value: string): Described {
    return describe?.(value) ?? { label: options?.find((option) => option.value === value)?.label ?? value };
  }
  return (
    <span ref={anchor} className={cx(frameClass, "flex-wrap gap-1.5 min-h-8 p-1.5", className)}>
      {values.length > 0 && (
        <ul aria-label={`${label}: chosen`} className="contents">
          {shown.map((value) => (
            <Chip
              key={value}
              {...words(value)}
              marked={value === marked}
              onRemove={() => {
                toggle(value);
                input.current?.focus();
              }}
            />
          ))}
        </ul>
      )}
      {values.length > shown.length && (
        <button
          type="button"
          aria-label={`+${values.length - shown.length}: show more`}
          onClick={onExpand}
          className="h-7 rounded-1 px-2 text-12 text-accent hover:underline"
        >
          +{values.length - shown.length}
        </button>
      )}
      {marked !== null && (
        <span role="status" className="sr-only">
          {words(marked).label} is marked. Backspace removes it.
        </span>
      )}
      <span className="flex grow basis-64 items-center gap-2">
        <input
          {...control}
          ref={input}
          {...combo.aria}
          aria-label={control.id ? undefined : label}
          type="text"
          autoComplete="off"
          spellCheck={false}
          placeholder={placeholder}
          value={combo.query}
          onClick={combo.show}
          onChange={(event) => combo.setQuery(event.target.value)}
          onKeyDown={combo.keyDown}
          onBlur={() => {
            setMarked(null);
            combo.setQuery("");
            combo.close();
          }}
          className="flex-1 w-full min-w-0 h-7 px-1 bg-transparent outline-none max-md:text-[16px]"
        />
        {aside}
      </span>
      {combo.open && (
        <Listbox
          id={combo.listId}
          label={label}
          anchor={anchor}
          options={combo.options}
          active={combo.active}
          chosen={values}
          multiple
          emptyText={emptyText}
          onActive={combo.setActive}
          onChoose={({ value }) => choose(value)}
        />
      )}
    </span>
  );
}

function Chip({ label, unknown, marked, onRemove }: Described & { marked: boolean; onRemove: () => void }) {
  return (
    <li
      className={cx(
        "inline-flex max-w-full items-center h-7 pl-2 text-12 bg-bg-0 border border-line-2 rounded-1 whitespace-nowrap",
        unknown && "mono text-fg-3",
        marked && "border-accent bg-accent-bg forced-colors:border-[Highlight]",
      )}
    >
      <span className="truncate" title={label}>
        {label}
      </span>
      <button
        type="button"
        aria-label={`Remove ${label}`}
        onClick={onRemove}
        className="inline-grid shrink-0 place-items-center size-7 text-fg-3 hover:text-fg-1 rounded-1 -outline-offset-2"
      >
        <X size={12} aria-hidden="true" />
      </button>
    </li>
  );
}
