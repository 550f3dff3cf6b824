import * as Radix from "@radix-ui/react-dialog";
import type { FormEventHandler, ReactNode, RefObject } from "react";
import { cx } from "./cx.ts";
import { dismissals, type DismissReason } from "./dismissals.ts";
import { useReturnFocus } from "./return-focus.ts";

export interface DialogProps {
  title: ReactNode;
  /** Read out with the title. */
  description?: ReactNode;
  /** `alertdialog` for what cannot be taken back. */
  role?: "dialog" | "alertdialog" | undefined;
  onDismiss: (reason: DismissReason) => void;
  outside?: "dismiss" | "ignore" | undefined;
  busy?: boolean | undefined;
  /** Takes focus on opening: the safe button. */
  initialFocus?: RefObject<HTMLElement | null> | undefined;
  finalFocus?: (() => HTMLElement | null | undefined) | undefined;
  onSubmit?: FormEventHandler<HTMLFormElement> | undefined;
  /** The buttons, from the left. */
  footer?: ReactNode;
  className?: string | undefined;
  children?: ReactNode;
}

/** A small sheet in the middle, for a question. Forms belong in a Panel. */
export function Dialog(props: DialogProps) {
  const {
    title,
    description,
    role = "dialog",
    onDismiss,
    outside = "ignore",
    busy,
    initialFocus,
    finalFocus,
    onSubmit,
    footer,
    className,
    children,
  } = props;
  const focus = useReturnFocus(finalFocus);
  // what is long scrolls; the buttons stay in sight
  const inside = (
    <>
      <div className={cx("-mx-4.5 min-h-0 overflow-y-auto px-4.5", footer ? "pb-1" : "pb-4.5")}>{children}</div>
      {footer && <div className="flex shrink-0 flex-wrap items-center gap-2 pt-3 pb-4">{footer}</div>}
    </>
  );
  return (
    <Radix.Root open>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-30 bg-scrim anim-fade" />
        <Radix.Content
          role={role}
          aria-busy={busy || undefined}
          {...(!description && { "aria-describedby": undefined })}
          {...dismissals(onDismiss, outside)}
          onOpenAutoFocus={(event) => {
            focus.remember();
            if (!initialFocus?.current) return;
            event.preventDefault();
            initialFocus.current.focus();
          }}
          onCloseAutoFocus={focus.giveBack}
          className={cx(
            "fixed left-1/2 top-[18%] -translate-x-1/2 z-31 w-110 max-w-[calc(100vw-32px)] max-h-[76dvh] flex flex-col px-4.5 pt-4",
            "bg-bg-0 border border-line-2 rounded-3 shadow-menu anim-fade outline-none",
            className,
          )}
        >
          <Radix.Title className="text-16 wrap-anywhere">{title}</Radix.Title>
          {description && <Radix.Description className="pt-0.5 text-fg-2">{description}</Radix.Description>}
          {onSubmit ? (
            <form noValidate onSubmit={onSubmit} className="flex min-h-0 flex-col">
              {inside}
            </form>
          ) : (
            inside
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
