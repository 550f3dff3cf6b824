import { useId, useState, type KeyboardEvent, type ReactNode } from "react";
import { scrollIntoView } from "../ui/into-view.ts";

export interface PickerItem {
  /** stays the same while results come in, so that the highlighted row keeps its place */
  id: string;
  label: string;
  /** what else it is found by */
  words?: string;
  detail?: string;
  hint?: ReactNode;
  current?: boolean;
  pick: () => void;
}

export interface PickerGroup {
  label: string;
  items: readonly PickerItem[];
}

interface PickerProps {
  label: string;
  placeholder: string;
  text: string;
  onText: (text: string) => void;
  groups: readonly PickerGroup[];
  /** shown instead of an empty list */
  none: string;
  busy?: boolean;
  /** takes the focus itself; not in a modal dialog, which has to see first where the focus was */
  autoFocus?: boolean;
}

/**
 * A text field over a grouped list that is always open (APG: editable combobox with list autocomplete, manual
 * selection). The arrows move through the list while the focus stays in the field.
 */
export function Picker({
  label,
  placeholder,
  text,
  onText,
  groups,
  none,
  busy = false,
  autoFocus = false,
}: PickerProps) {
  const listId = useId();
  const items = groups.flatMap((group) => group.items);
  const [wanted, setWanted] = useState<string>();
  const active = items.find((item) => item.id === wanted) ?? items[0];
  const optionId = (item: PickerItem) => `${listId}-${item.id}`;

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    const at = active ? items.indexOf(active) : -1;
    const next = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: Math.min(items.length - 1, at + 8),
      PageUp: Math.max(0, at - 8),
    }[event.key];
    if (next !== undefined && items.length > 0) {
      event.preventDefault();
      setWanted(items[(next + items.length) % items.length]?.id);
    }
    if (event.key === "Enter") {
      event.preventDefault();
      active?.pick();
    }
  }

  return (
    <div className="flex min-h-0 flex-col">
      <input
        autoFocus={autoFocus} // oxlint-disable-line jsx-a11y/no-autofocus -- the field is why the list was opened
        role="combobox"
        aria-label={label}
        aria-expanded="true"
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={active && optionId(active)}
        autoComplete="off"
        spellCheck={false}
        placeholder={placeholder}
        value={text}
        onChange={(event) => {
          setWanted(undefined);
          onText(event.target.value);
        }}
        onKeyDown={onKeyDown}
        className="h-11 w-full shrink-0 border-b border-line-2 bg-transparent px-4 text-14 text-fg-1 outline-none placeholder:text-fg-3"
      />
      <div id={listId} role="listbox" aria-label={label} aria-busy={busy} className="min-h-0 overflow-y-auto py-1">
        {groups.map((group) => (
          <div key={group.label} role="group" aria-label={group.label} className="py-1">
            <div aria-hidden="true" className="px-4 py-1 text-12 text-fg-3">
              {group.label}
            </div>
            {group.items.map((item) => (
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the input above takes the keys
              <div
                key={item.id}
                id={optionId(item)}
                ref={item === active ? scrollIntoView : undefined}
                role="option"
                tabIndex={-1}
                aria-selected={item === active}
                aria-current={item.current ? "true" : undefined}
                data-active={item === active ? "" : undefined}
                onPointerMove={() => setWanted(item.id)}
                // pointer down would move the focus out of the field
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => item.pick()}
                className="relative flex min-h-8 cursor-default items-center gap-3 px-4 py-1 text-13 text-fg-2 data-active:bg-bg-3 data-active:text-fg-1 data-active:before:absolute data-active:before:inset-y-0 data-active:before:left-0 data-active:before:w-[3px] data-active:before:bg-accent forced-colors:data-active:outline"
              >
                <span className={item.current ? "truncate font-semibold" : "truncate"}>{item.label}</span>
                {item.detail !== undefined && <span className="truncate text-12 text-fg-3">{item.detail}</span>}
                {item.hint !== undefined && <span className="ml-auto shrink-0 text-12 text-fg-3">{item.hint}</span>}
              </div>
            ))}
          </div>
        ))}
      </div>
      <p role="status" className={items.length === 0 ? "px-4 pb-4 text-13 text-fg-2" : "sr-only"}>
        {items.length === 0
          ? busy
            ? "Searching."
            : none
          : items.length === 1
            ? "1 result"
            : `${items.length} results`}
      </p>
    </div>
  );
}
