import * as Radix from "@radix-ui/react-popover";
import type { ReactElement, ReactNode } from "react";
import { cx } from "./cx.ts";
import { floatClass } from "./Menu.tsx";

export interface PopoverProps {
  /** A button; it gets `aria-haspopup="dialog"` and `aria-expanded`. */
  trigger: ReactElement;
  /** The accessible name of what opens. */
  label: string;
  align?: "start" | "center" | "end" | undefined;
  open?: boolean | undefined;
  onOpenChange?: ((open: boolean) => void) | undefined;
  className?: string | undefined;
  children: ReactNode;
}

/** A small sheet beside its button, not modal; Escape and a click outside close it, focus goes back. */
export function Popover({ trigger, label, align = "start", open, onOpenChange, className, children }: PopoverProps) {
  const controlled = { ...(open !== undefined && { open }), ...(onOpenChange && { onOpenChange }) };
  return (
    <Radix.Root {...controlled}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
          className={cx(
            floatClass,
            "max-w-[calc(100vw-16px)] max-h-(--radix-popover-content-available-height) overflow-y-auto p-3",
            className,
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Wraps what closes the popover when pressed, such as a Done button. */
export const PopoverClose = Radix.Close;
