import { Check } from "lucide-react";
import { useCallback, type RefObject } from "react";
import { cx } from "./cx.ts";
import { scrollIntoView } from "./into-view.ts";
import { groupOptions, type ComboOption } from "./listbox.ts";
import { floatClass } from "./Menu.tsx";
import { positionPopover } from "./position-popover.ts";
import type { Options } from "./use-options.ts";

export interface ListboxProps {
  id: string;
  label: string;
  anchor: RefObject<HTMLElement | null>;
  options: Options;
  /** The option under the keyboard, by its place in `options`. */
  active: number;
  chosen: readonly string[];
  multiple?: boolean | undefined;
  emptyText: string;
  onActive: (index: number) => void;
  onChoose: (option: ComboOption) => void;
}

/**
 * The list of a combobox, in the top layer so that no panel clips it. Focus stays in the input; a press never moves it.
 */
export function Listbox({
  id,
  label,
  anchor,
  options,
  active,
  chosen,
  multiple,
  emptyText,
  onActive,
  onChoose,
}: ListboxProps) {
  const float = useCallback((element: HTMLDivElement) => floatUnder(element, anchor), [anchor]);
  const flat = options.options;
  const words =
    options.state === "failed"
      ? "The list did not load. Type again to retry."
      : options.state === "loading"
        ? "Searching"
        : emptyText;
  return (
    <div
      ref={float}
      popover="manual"
      onPointerDown={(event) => event.preventDefault()}
      className={cx(
        floatClass,
        "fixed inset-auto m-0 max-w-[min(32rem,calc(100vw-16px))] max-h-72 overflow-y-auto p-1 text-13 text-fg-1 pointer-events-auto",
      )}
    >
      <div role="listbox" id={id} aria-label={label} aria-multiselectable={multiple}>
        {groupOptions(flat).map((group) => (
          <div key={group.name ?? ""} role={group.name ? "group" : "presentation"} aria-label={group.name}>
            {group.name && (
              <div aria-hidden="true" className="px-2 pt-1.5 pb-1 text-12 text-fg-3">
                {group.name}
              </div>
            )}
            {group.options.map((option) => {
              const index = flat.indexOf(option);
              const selected = chosen.includes(option.value);
              return (
                // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the combobox's input takes the keys
                <div
                  key={option.value}
                  id={optionId(id, index)}
                  ref={index === active ? scrollIntoView : undefined}
                  data-active={index === active ? "" : undefined}
                  role="option"
                  tabIndex={-1}
                  aria-selected={selected}
                  aria-disabled={option.disabledReason ? true : undefined}
                  onPointerMove={() => {
                    if (index !== active) onActive(index);
                  }}
                  onClick={() => {
                    if (!option.disabledReason) onChoose(option);
                  }}
                  className={cx(
                    "flex items-center gap-2 min-h-7 max-md:min-h-9 pl-2 pr-2.5 rounded-1",
                    index === active && "bg-bg-3 forced-colors:outline-2 forced-colors:outline-solid",
                    option.disabledReason && "text-fg-3",
                  )}
                >
                  <Check size={14} aria-hidden="true" className={selected ? undefined : "invisible"} />
                  <span className="py-1 min-w-0">
                    {option.label} {option.detail && <span className="text-fg-3">{option.detail}</span>}
                    {option.disabledReason && <span className="block text-11">{option.disabledReason}</span>}
                  </span>
                </div>
              );
            })}
          </div>
        ))}
      </div>
      <div role="status" className={cx("px-2 text-fg-3", flat.length > 0 ? "sr-only" : "py-1")}>
        {flat.length > 0 ? (flat.length === 1 ? "1 choice" : `${flat.length} choices`) : words}
      </div>
    </div>
  );
}

/** Shows the list under its input and keeps it there; returns what ends it. */
function floatUnder(element: HTMLElement, anchor: RefObject<HTMLElement | null>): () => void {
  function follow() {
    const rect = anchor.current?.getBoundingClientRect();
    if (!rect) return;
    element.style.minWidth = `${rect.width}px`;
    positionPopover(element, rect, { gap: 4, align: "start" });
  }
  element.showPopover();
  follow();
  // an option cannot be scrolled to before the list is shown
  scrollIntoView(element.querySelector<HTMLElement>("[data-active]"));
  const size = new ResizeObserver(follow);
  size.observe(element);
  window.addEventListener("scroll", follow, true);
  window.addEventListener("resize", follow);
  return () => {
    size.disconnect();
    window.removeEventListener("scroll", follow, true);
    window.removeEventListener("resize", follow);
  };
}

/** The DOM id of an option, for `aria-activedescendant`. */
export function optionId(listId: string, index: number): string {
  return `${listId}-${index}`;
}
