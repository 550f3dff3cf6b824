import * as Dropdown from "@radix-ui/react-dropdown-menu";
import { Check } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { cx } from "./cx.ts";

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

export interface MenuProps {
  /** A button; it gets `aria-haspopup`, `aria-expanded` and the keys. */
  trigger: ReactElement;
  items: readonly MenuItem[];
  align?: "start" | "center" | "end" | undefined;
  /** Called when the menu has closed; prevent the event's default to keep focus from going back to the trigger. */
  onCloseAutoFocus?: ((event: Event) => void) | undefined;
}

const row =
  "relative flex items-center gap-2 min-h-7 max-md:min-h-9 px-2.5 rounded-1 outline-none select-none data-highlighted:bg-bg-3 " +
  "forced-colors:data-highlighted:outline-2 forced-colors:data-highlighted:outline-solid";

/** What floats: paper, a hairline, the one shadow for menus. */
export const floatClass = "z-50 bg-bg-0 border border-line-2 rounded-3 shadow-menu anim-fade";

/** A menu button: arrows, Home, End, type-ahead and Escape as in the ARIA authoring practices. */
export function Menu({ trigger, items, align = "end", onCloseAutoFocus }: MenuProps) {
  return (
    <Dropdown.Root modal={false}>
      <Dropdown.Trigger asChild>{trigger}</Dropdown.Trigger>
      <Dropdown.Portal>
        <Dropdown.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={onCloseAutoFocus}
          className={cx(
            floatClass,
            "min-w-44 max-w-80 max-h-(--radix-dropdown-menu-content-available-height) overflow-y-auto p-1",
          )}
        >
          {items.map((item, index) => (
            <Row key={item.kind === "line" ? `line-${index}` : item.label} item={item} />
          ))}
        </Dropdown.Content>
      </Dropdown.Portal>
    </Dropdown.Root>
  );
}

function Row({ item }: { item: MenuItem }) {
  if (item.kind === "line") return <Dropdown.Separator className="h-px my-1 -mx-1 bg-line" />;
  if (item.kind === "heading")
    return <Dropdown.Label className="px-2.5 pt-1.5 pb-1 text-12 text-fg-3">{item.label}</Dropdown.Label>;
  if ("checked" in item) return <Choice item={item} />;
  const reason = item.disabledReason;
  return (
    <Dropdown.Item
      aria-disabled={reason ? true : undefined}
      onSelect={(event) => {
        if (reason) event.preventDefault();
        else item.onSelect();
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
    </Dropdown.Item>
  );
}

function Choice({ item }: { item: MenuChoice }) {
  return (
    <Dropdown.CheckboxItem
      role={item.kind === "radio" ? "menuitemradio" : undefined}
      checked={item.checked}
      onSelect={(event) => {
        if (item.keepOpen) event.preventDefault();
        item.onSelect();
      }}
      className={cx(row, "pl-8 text-fg-1", item.checked && "font-semibold")}
    >
      <Dropdown.ItemIndicator className="absolute left-2.5">
        <Check size={14} aria-hidden="true" />
      </Dropdown.ItemIndicator>
      {item.label}
    </Dropdown.CheckboxItem>
  );
}
