import { useState, type ReactNode } from "react";
import { idleWords } from "../../shell/idle.ts";
import { Button } from "../../ui/Button.tsx";
import { Checkbox } from "../../ui/Checkbox.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { Switch } from "../../ui/Switch.tsx";
import { toast } from "../../ui/toast.ts";
import type { KeyVariable } from "./env-file.ts";
import { KeySecret } from "./KeySecret.tsx";
import type { Made, ShownOnce } from "./make-key.ts";
import { isTaken, type RevealState } from "./reveal-state.ts";
import { canClearLater, clearClipboardLater, keepClipboard } from "./copy-key.ts";

interface RevealBodyProps {
  made: Made<ShownOnce>;
  variable: KeyVariable;
  note: ReactNode;
  /** seconds until the key is taken off the page, in the last two minutes */
  idleSeconds: number | null;
  onTaken: (how: "copied" | "downloaded") => void;
  /** its settings, to check them now, and a first call */
  children: ReactNode;
}

/** The once-only view: the key and the ways to take it, then what there is to know of it. */
export function RevealBody({ made, variable, note, idleSeconds, onTaken, children }: RevealBodyProps) {
  return (
    <>
      {idleSeconds !== null && (
        <Notice tone="warn" role="alert">
          The key will be removed from this page in {idleWords(idleSeconds)}. Move or press any key to keep it.
        </Notice>
      )}
      <KeySecret made={made} variable={variable} onTaken={onTaken} />
      {note}
      {children}
    </>
  );
}

interface RevealFootProps {
  state: RevealState;
  onTick: (on: boolean) => void;
  onDone: () => void;
}

export function RevealFoot({ state, onTick, onDone }: RevealFootProps) {
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <Checkbox label="I have stored it" checked={state.ticked} onChange={(event) => onTick(event.target.checked)} />
        {canClearLater() && <ClearClipboard copied={state.copied} />}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Button className="min-w-24" onClick={onDone}>
          Done
        </Button>
        {!isTaken(state) && (
          <p className="text-12 text-fg-3">If you leave before copying, downloading or ticking, you are asked again.</p>
        )}
      </div>
    </>
  );
}

function ClearClipboard({ copied }: { copied: boolean }) {
  const [on, setOn] = useState(false);
  return (
    <Switch
      label="Clear clipboard after 60 s"
      checked={on}
      onChange={(next) => {
        setOn(next);
        if (!next) return keepClipboard();
        clearClipboardLater(tellCleared);
      }}
      disabledReason={
        !copied && "Copy the key first. The clipboard is cleared whatever it holds by then: a page cannot check"
      }
    />
  );
}

function tellCleared(cleared: boolean): void {
  toast(
    cleared
      ? { message: "Clipboard cleared." }
      : { message: "The clipboard could not be cleared.", detail: "Copy something else over it.", tone: "trouble" },
  );
}
