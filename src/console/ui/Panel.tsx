import * as Radix from "@radix-ui/react-dialog";
import { X } from "lucide-react";
import { use, useEffect, useRef, type FormEventHandler, type MouseEvent, type ReactNode } from "react";
import { cx } from "./cx.ts";
import { dismissals, type DismissReason } from "./dismissals.ts";
import { IconButton } from "./IconButton.tsx";
import { PanelNotice } from "./panel-notice.ts";
import { useReturnFocus } from "./return-focus.ts";

export interface PanelProps {
  title: ReactNode;
  /** One sentence under the title, read out when the panel opens. */
  description?: ReactNode;
  /** `brass` is the once-only moment and puts a 3 px line on top. */
  tone?: "plain" | "brass" | undefined;
  /** The person wants to leave. The panel never closes by itself: the owner decides, and unmounts it. */
  onDismiss: (reason: DismissReason) => void;
  /** `ignore`: a click outside does nothing at all. */
  outside?: "dismiss" | "ignore" | undefined;
  /** Something is under way in it. */
  busy?: boolean | undefined;
  /** At the foot, under a hairline: a sentence first, then the buttons from the left, the primary first. */
  footer?: ReactNode;
  /** A Gate, in the footer's place; all else fades and is inert. */
  gate?: ReactNode;
  /** Takes focus on opening; otherwise the first field does, else the panel itself. */
  initialFocus?: (() => HTMLElement | null) | undefined;
  /** Takes focus on closing; otherwise what had it before does. */
  finalFocus?: (() => HTMLElement | null | undefined) | undefined;
  /** Body and footer become one form, so that the footer's `type="submit"` button submits it. */
  onSubmit?: FormEventHandler<HTMLFormElement> | undefined;
  children: ReactNode;
}

/** In a form, what is to be filled in goes before the button that closes it; of a group of radios, the one that is chosen. */
const firstField = "form :is(input:not([type=hidden], [type=radio]:not(:checked)), select, textarea):not(:disabled)";

/** The sheet of 560 px at the right that forms and the reveal open in; the whole width on a phone. */
export function Panel(props: PanelProps) {
  const {
    title,
    description,
    tone = "plain",
    onDismiss,
    outside = "ignore",
    busy,
    footer,
    gate,
    initialFocus,
    finalFocus,
    onSubmit,
    children,
  } = props;
  const gated = Boolean(gate);
  const focus = useReturnFocus(finalFocus);
  const ignoreStrayClick = useStrayClick();
  const lastFocus = useRef<HTMLElement | null>(null);
  useEffect(() => {
    if (!gated) return;
    return () => lastFocus.current?.focus();
  }, [gated]);
  const inside = (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- it only remembers where focus goes back to */}
      <div
        inert={gated}
        onFocusCapture={(event) => {
          lastFocus.current = event.target;
        }}
        className={cx(
          "grow min-h-0 overflow-y-auto overscroll-contain px-6 max-md:px-4 pt-2 pb-6 transition-opacity",
          gated && "opacity-38",
        )}
      >
        <div className="grid grid-cols-1 gap-5 content-start">
          {use(PanelNotice)}
          {description && <Radix.Description className="text-fg-2">{description}</Radix.Description>}
          {children}
        </div>
      </div>
      {gate ??
        (footer && (
          <div className="shrink-0 grid grid-cols-1 gap-3 px-6 max-md:px-4 pt-4 pb-5 border-t border-line-2">
            {footer}
          </div>
        ))}
    </>
  );
  const column = "flex flex-col grow min-h-0";
  return (
    <Radix.Root open>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-20 bg-scrim anim-fade" />
        <Radix.Content
          aria-busy={busy || undefined}
          {...(!description && { "aria-describedby": undefined })}
          {...dismissals(onDismiss, outside)}
          onClickCapture={ignoreStrayClick}
          onOpenAutoFocus={(event) => {
            focus.remember();
            const content = event.target as HTMLElement;
            // on the button that closes it, the button's tip would cover the first sentence
            const first = initialFocus?.() ?? content.querySelector<HTMLElement>(firstField) ?? content;
            event.preventDefault();
            first.focus();
          }}
          onCloseAutoFocus={focus.giveBack}
          className={cx(
            "fixed inset-y-0 right-0 z-21 flex flex-col w-140 max-w-full bg-bg-0 shadow-panel anim-panel outline-none",
            "forced-colors:border-l forced-colors:border-[CanvasText]",
            tone === "brass" && "border-t-3 border-brass-line",
          )}
        >
          <header className="flex items-start gap-3 min-h-14 shrink-0 px-6 py-3.5 max-md:px-4 max-md:py-2.5">
            {/* what a long title ends with may be all that tells it from another one */}
            <Radix.Title className="text-16 min-w-0 my-0.5 max-md:my-1.5 line-clamp-3 wrap-anywhere">
              {title}
            </Radix.Title>
            <IconButton
              label="Close"
              inert={gated}
              onClick={() => onDismiss("close")}
              className={cx("ml-auto", gated && "opacity-38")}
            >
              <X size={16} aria-hidden="true" />
            </IconButton>
          </header>
          {onSubmit ? (
            <form noValidate autoComplete="off" onSubmit={onSubmit} className={column}>
              {inside}
            </form>
          ) : (
            <div className={column}>{inside}</div>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

const clickable = "button, a, label, input, select";

/**
 * The second click of a double click is meant for what the first one hit. Where that made way for something new, as a
 * form does for what it made, the click does nothing; what was there at the first click, such as the next row of a list
 * that rows are removed from, is clicked.
 */
function useStrayClick(): (event: MouseEvent<HTMLElement>) => void {
  const there = useRef<ReadonlySet<Element>>(new Set());
  return (event) => {
    const hit = (event.target as Element).closest(clickable);
    if (event.detail <= 1) there.current = new Set(event.currentTarget.querySelectorAll(clickable));
    else if (hit !== null && !there.current.has(hit)) {
      event.preventDefault();
      event.stopPropagation();
    }
  };
}
