import { ChevronDown } from "lucide-react";
import { useRef, useState, type Ref } from "react";
import { cx } from "./cx.ts";
import type { FieldControl } from "./Field.tsx";
import { Listbox } from "./Listbox.tsx";
import type { ComboOption, LoadOptions } from "./listbox.ts";
import { frameClass } from "./TextInput.tsx";
import { useCombobox } from "./use-combobox.ts";

export interface ComboboxProps extends Partial<FieldControl> {
  /** Names the list, and the input when no Field does. */
  label: string;
  /** All options, filtered here; or `load`, which asks for them. `load` must keep its identity between renders. */
  options?: readonly ComboOption[] | undefined;
  load?: LoadOptions | undefined;
  /** The chosen option's value; `selected` gives its words when `options` does not hold it. */
  value: string | null;
  selected?: ComboOption | undefined;
  onChange: (value: string | null, option: ComboOption | null) => void;
  /** Emptying the input chooses nothing; otherwise the last choice comes back. */
  clearable?: boolean | undefined;
  placeholder?: string | undefined;
  emptyText?: string | undefined;
  disabled?: boolean | undefined;
  mono?: boolean | undefined;
  className?: string | undefined;
  ref?: Ref<HTMLInputElement> | undefined;
  onBlur?: (() => void) | undefined;
}

/** One of many, found by typing. What is typed is only a search; leaving the field puts the chosen words back. */
export function Combobox(props: ComboboxProps) {
  const {
    label,
    options,
    load,
    value,
    selected,
    onChange,
    clearable,
    placeholder,
    emptyText = "Nothing matches",
    disabled,
    mono,
    className,
    ref,
    onBlur,
    ...control
  } = props;
  const anchor = useRef<HTMLSpanElement>(null);
  const [typing, setTyping] = useState(false);
  const [last, setLast] = useState<ComboOption | null>(null);
  const known = selected ?? [...(options ?? []), ...(last ? [last] : [])].find((option) => option.value === value);
  const combo = useCombobox({ options, load, onChoose: choose });

  function leave() {
    setTyping(false);
    combo.setQuery("");
    combo.close();
  }
  function choose(option: ComboOption | null) {
    setLast(option);
    onChange(option?.value ?? null, option);
    leave();
  }
  return (
    <span ref={anchor} className={cx(frameClass, "relative h-8 max-md:h-9 pl-2.5", className)}>
      <input
        {...control}
        ref={ref}
        {...combo.aria}
        aria-label={control.id ? undefined : label}
        type="text"
        autoComplete="off"
        spellCheck={false}
        disabled={disabled}
        placeholder={typing ? (known?.label ?? placeholder) : placeholder}
        value={typing ? combo.query : (known?.label ?? value ?? "")}
        onFocus={(event) => event.target.select()}
        onClick={combo.show}
        onChange={(event) => {
          setTyping(true);
          combo.setQuery(event.target.value);
        }}
        onKeyDown={combo.keyDown}
        onBlur={() => {
          if (typing && clearable && combo.query === "") choose(null);
          else leave();
          onBlur?.();
        }}
        className={cx(
          "flex-1 w-full min-w-0 self-stretch pr-8 bg-transparent outline-none text-ellipsis max-md:text-[16px]",
          mono && "mono",
        )}
      />
      <ChevronDown size={14} aria-hidden="true" className="absolute right-2.5 text-fg-2 pointer-events-none" />
      {combo.open && (
        <Listbox
          id={combo.listId}
          label={label}
          anchor={anchor}
          options={combo.options}
          active={combo.active}
          chosen={value === null ? [] : [value]}
          emptyText={emptyText}
          onActive={combo.setActive}
          onChoose={choose}
        />
      )}
    </span>
  );
}
