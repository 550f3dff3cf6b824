import { Check } from "lucide-react";
import {
  cloneElement,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
} from "react";
import { flushSync } from "react-dom";
import { cx } from "./cx.ts";
import { menuMove } from "./menu-move.ts";
import { positionPopover } from "./position-popover.ts";
import { useListener } from "./use-listener.ts";

export interface MenuAction {
  kind?: "action" | undefined;
  label: string;
  icon?: ReactNode;
  shortcut?: string | undefined;
  danger?: boolean | undefined;
  /** Stays in reach of the arrows, says why under its label, does nothing. */
  disabledReason?: string | false | null | undefined;
  onSelect: () => void;
}

/** A tick (`check`) or one of a run of alternatives (`radio`). */
export interface MenuChoice {
  kind: "check" | "radio";
  label: string;
  checked: boolean;
  onSelect: () => void;
  /** For several ticks in a row. */
  keepOpen?: boolean | undefined;
}

export type MenuItem = MenuAction | MenuChoice | { kind: "heading"; label: string } | { kind: "line" };

interface TriggerProps {
  popoverTarget?: string;
  "aria-haspopup"?: "menu";
  "aria-expanded"?: boolean;
  onClick?: (event: MouseEvent<HTMLElement>) => void;
  onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void;
}

export interface MenuProps {
  /** A button; it gets `aria-haspopup`, `aria-expanded` and the keys. */
  trigger: ReactElement<TriggerProps>;
  items: readonly MenuItem[];
  align?: "start" | "center" | "end" | undefined;
}

/** What floats: paper, a hairline, the one shadow for menus. */
export const floatClass = "z-50 bg-bg-0 border border-line-2 rounded-3 shadow-menu anim-fade";

const row =
  "relative flex items-center gap-2 w-full min-h-7 max-md:min-h-9 px-2.5 text-left rounded-1 outline-none select-none focus:bg-bg-3 " +
  "forced-colors:focus:outline-2 forced-colors:focus:outline-solid";

/**
 * A menu button after the ARIA authoring practices: arrows, Home, End, first letters, Escape. The platform's own
 * popover closes it on a press elsewhere and gives the focus back, so nothing is positioned or trapped by a library.
 */
export function Menu({ trigger, items, align = "end" }: MenuProps) {
  const id = useId();
  /** where its button was when it opened */
  const [opened, setOpened] = useState<{ button: HTMLElement; top: number; left: number } | null>(null);
  const open = opened !== null;
  const typed = useRef({ text: "", at: 0 });

  function show(button: HTMLElement, start: "menu" | "first" | "last") {
    const rect = button.getBoundingClientRect();
    flushSync(() => setOpened({ button, top: rect.top, left: rect.left }));
    const menu = document.getElementById(id);
    if (!menu) return;
    menu.showPopover();
    positionPopover(menu, rect, { gap: 4, align });
    const all = itemsIn(menu);
    (start === "menu" ? menu : start === "first" ? all[0] : all.at(-1))?.focus();
  }
  const close = () => document.getElementById(id)?.hidePopover();
  // its place is the window's, so it does not stay when the page moves on under it
  useListener(
    open ? document : null,
    "scroll",
    () => {
      // the scroll that brought the button into view is reported late: what counts is that the button moves away now
      const at = opened?.button.getBoundingClientRect();
      if (at?.top !== opened?.top || at?.left !== opened?.left) close();
    },
    { capture: true },
  );

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (event.key === "Tab") return close();
    // a table or a form around it has uses of its own for these keys
    event.stopPropagation();
    const all = itemsIn(event.currentTarget);
    const letters = event.timeStamp - typed.current.at < 500 ? typed.current.text : "";
    const words = all.map((item) => item.textContent.trim().toLowerCase());
    const move = menuMove(event.key, all.indexOf(document.activeElement as HTMLElement), words, letters);
    if (!move) return;
    event.preventDefault();
    if (move.letters !== undefined) typed.current = { text: move.letters, at: event.timeStamp };
    all[move.to]?.focus();
  }

  return (
    <>
      {cloneElement(trigger, {
        popoverTarget: id,
        "aria-haspopup": "menu",
        "aria-expanded": open,
        onClick: (event) => {
          trigger.props.onClick?.(event);
          // shown by hand, so that it is never seen empty or in the wrong place; a key's click has no pointer in it
          event.preventDefault();
          // by the popover, which tells of its closing later than it closes: a click right behind Escape opens it again
          if (document.getElementById(id)?.matches(":popover-open")) close();
          else show(event.currentTarget, event.detail === 0 ? "first" : "menu");
        },
        onKeyDown: (event) => {
          trigger.props.onKeyDown?.(event);
          if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
          event.preventDefault();
          show(event.currentTarget, event.key === "ArrowDown" ? "first" : "last");
        },
      })}
      <div
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        onToggle={(event) => {
          if (event.newState === "closed") setOpened(null);
        }}
        onKeyDown={onKeyDown}
        className={cx(
          floatClass,
          "fixed inset-auto m-0 min-w-44 max-w-80 max-h-[min(480px,80vh)] overflow-y-auto p-1 text-13 font-normal text-fg-1 whitespace-normal outline-none",
        )}
      >
        {open &&
          items.map((item, index) => (
            <Row key={item.kind === "line" ? index : `${index} ${item.label}`} item={item} close={close} />
          ))}
      </div>
    </>
  );
}

function itemsIn(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>("[role^=menuitem]")];
}

function Row({ item, close }: { item: MenuItem; close: () => void }) {
  if (item.kind === "line") return <div role="separator" className="h-px my-1 -mx-1 bg-line" />;
  if (item.kind === "heading") {
    return (
      <div role="presentation" className="px-2.5 pt-1.5 pb-1 text-12 text-fg-3">
        {item.label}
      </div>
    );
  }
  if ("checked" in item) return <Choice item={item} close={close} />;
  const reason = item.disabledReason;
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      aria-disabled={reason ? true : undefined}
      onPointerMove={(event) => event.currentTarget.focus()}
      onClick={() => {
        if (reason) return;
        close();
        item.onSelect();
      }}
      className={cx(row, reason ? "text-fg-3" : item.danger ? "text-bad-fg" : "text-fg-1")}
    >
      {item.icon}
      <span className="grow py-1">
        {item.label}
        {reason && <span className="block text-11">{reason}</span>}
      </span>
      {item.shortcut && (
        <kbd aria-hidden="true" className="pl-4 font-mono text-11 text-fg-3 max-md:hidden">
          {item.shortcut}
        </kbd>
      )}
    </button>
  );
}

function Choice({ item, close }: { item: MenuChoice; close: () => void }) {
  return (
    <button
      type="button"
      role={item.kind === "radio" ? "menuitemradio" : "menuitemcheckbox"}
      tabIndex={-1}
      aria-checked={item.checked}
      onPointerMove={(event) => event.currentTarget.focus()}
      onClick={() => {
        if (!item.keepOpen) close();
        item.onSelect();
      }}
      className={cx(row, "pl-8 text-fg-1", item.checked && "font-semibold")}
    >
      {item.checked && <Check size={14} aria-hidden="true" className="absolute left-2.5" />}
      {item.label}
    </button>
  );
}
