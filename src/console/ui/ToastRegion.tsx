import { X } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from "react";
import { StatusShape } from "./Status.tsx";
import { useListener } from "./use-listener.ts";
import { dismissToast, liveToasts, subscribeToasts, type LiveToast } from "./toast.ts";

const tickMs = 250;

/** Mount once. Ink slips at the bottom left of the page; F8 moves focus to them, hover, focus or a hidden tab stop the clock. */
export function ToastRegion() {
  const toasts = useSyncExternalStore(subscribeToasts, liveToasts);
  const region = useRef<HTMLDivElement>(null);
  const [held, setHeld] = useState(false);

  useListener(document, "keydown", (event) => {
    if (event.key !== "F8" || liveToasts().length === 0) return;
    event.preventDefault();
    region.current?.focus();
  });

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- they only stop the clock while somebody reads
    <div
      ref={region}
      role="region"
      aria-label="Notifications, F8"
      tabIndex={-1}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className="fixed left-[calc(var(--w-side)+24px)] max-md:left-4 bottom-[calc(var(--h-foot,0px)+24px)] max-md:bottom-[calc(var(--h-foot,0px)+16px)] z-60 grid justify-items-start max-w-[calc(100vw-32px)] pointer-events-none"
    >
      {/* The live regions are there before their first words; the attribute also keeps them heard while a modal dialog hides the rest. */}
      <div role="status" aria-live="polite" className="grid justify-items-start gap-2.5 pt-2.5 empty:pt-0">
        {toasts
          .filter((one) => one.tone !== "trouble")
          .map((one) => (
            <Slip key={one.id} toast={one} held={held} />
          ))}
      </div>
      <div role="alert" aria-live="assertive" className="grid justify-items-start gap-2.5 pt-2.5 empty:pt-0">
        {toasts
          .filter((one) => one.tone === "trouble")
          .map((one) => (
            <Slip key={one.id} toast={one} held={held} />
          ))}
      </div>
    </div>
  );
}

function Slip({ toast, held }: { toast: LiveToast; held: boolean }) {
  const [leftMs, setLeftMs] = useState(toast.lastsMs);
  const tick = useEffectEvent(() => {
    if (document.hidden) return;
    setLeftMs(leftMs - tickMs);
    if (leftMs <= tickMs) dismissToast(toast.id);
  });
  useEffect(() => {
    if (held) return;
    const timer = window.setInterval(() => tick(), tickMs);
    return () => window.clearInterval(timer);
  }, [held]);

  const trouble = toast.tone === "trouble";
  return (
    <div className="flex items-center gap-3 w-max min-w-60 max-w-[calc(100vw-32px)] min-h-10 py-[5px] pl-3.5 pr-1.5 bg-ink text-on-ink rounded-3 shadow-menu border border-transparent anim-rise pointer-events-auto">
      {trouble && <StatusShape kind="trouble" className="text-on-ink" />}
      <span className="grow">
        {toast.message} {toast.detail && <span className="text-on-ink-2">{toast.detail}</span>}
      </span>
      {toast.action && (
        <button
          type="button"
          onClick={() => {
            dismissToast(toast.id);
            toast.action?.onSelect();
          }}
          className="inline-flex items-center gap-2 h-7 px-2.5 text-12 font-semibold rounded-2 hover:bg-ink-hover focus-visible:outline-on-ink -outline-offset-2"
        >
          {toast.action.label}
          <span
            aria-hidden="true"
            className="font-mono text-11 font-normal text-on-ink-2 tabular-nums whitespace-nowrap"
          >
            {Math.ceil(leftMs / 1000)} s
          </span>
        </button>
      )}
      <button
        type="button"
        aria-label="Dismiss"
        onClick={() => dismissToast(toast.id)}
        className="inline-grid place-items-center size-7 rounded-2 text-on-ink-2 hover:text-on-ink focus-visible:outline-on-ink -outline-offset-2"
      >
        <X size={14} aria-hidden="true" />
      </button>
    </div>
  );
}
