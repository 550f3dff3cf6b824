import { useState } from "react";
import type { ReactNode, Ref } from "react";
import { useSession } from "../../api/session.ts";
import { Button } from "../../ui/Button.tsx";
import { Checkbox } from "../../ui/Checkbox.tsx";
import { Facts } from "../../ui/Facts.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { Switch } from "../../ui/Switch.tsx";
import { toast } from "../../ui/toast.ts";
import { FirstCall } from "./FirstCall.tsx";
import { FirstSnippets } from "./FirstSnippets.tsx";
import { KeyToTake } from "./KeyToTake.tsx";
import type { Made } from "./make-key.ts";
import { isTaken } from "./reveal-state.ts";
import type { RevealState } from "./reveal-state.ts";
import { limitWords, utcMinute } from "./summary.ts";
import { canClearLater, clearClipboardLater, keepClipboard } from "./take-key.ts";
import { useWorkspaceName } from "./workspace-name.ts";

interface RevealBodyProps {
  made: Made;
  note: ReactNode;
  /** seconds until the key is taken off the page, in the last two minutes */
  idleSeconds: number | null;
  copyButton: Ref<HTMLButtonElement>;
  onTaken: (how: "copied" | "downloaded") => void;
}

/** The once-only view: the key, its settings to check them now, a first call, and the light that waits for it. */
export function RevealBody({ made, note, idleSeconds, copyButton, onTaken }: RevealBodyProps) {
  const { record, vault } = made;
  const session = useSession();
  const workspace = useWorkspaceName(record.workspace_id);
  const user = "record" in session ? session.record.user : undefined;
  return (
    <>
      {idleSeconds !== null && (
        <Notice tone="warn" role="alert">
          The key is taken off this page in {idleWords(idleSeconds)}. Move or press any key to keep it.
        </Notice>
      )}
      <KeyToTake made={made} copyButton={copyButton} onTaken={onTaken} />
      {note}
      <Facts
        columns={2}
        facts={[
          { term: "Workspace", value: workspace },
          { term: "Limit", value: limitWords(record) },
          { term: "Created", value: user === undefined ? "Just now" : `Just now, by ${user}` },
          { term: "Expires", value: record.expires_at === null ? "Never" : utcMinute(new Date(record.expires_at)) },
        ]}
      />
      <FirstSnippets vault={vault} />
      <FirstCall hash={record.hash} since={new Date(record.created_at)} />
    </>
  );
}

/** In steps, since each change is read out. */
function idleWords(seconds: number): string {
  if (seconds > 60) return "2 minutes";
  return seconds > 15 ? "1 minute" : "15 seconds";
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
          <p className="text-12 text-fg-3">Leaving before you copy, download or tick asks once more.</p>
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
        !copied && "Copy the key first. The clipboard is emptied whatever is on it by then: a page cannot look"
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
