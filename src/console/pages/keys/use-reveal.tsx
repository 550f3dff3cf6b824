import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useEffectEvent, useReducer, useRef, useState, type ReactNode } from "react";
import { refreshAfter } from "../../api/action.ts";
import { errorText } from "../../api/error-messages.ts";
import { onSessionEnd } from "../../api/session.ts";
import { useKeepPage, useLeaveGuard } from "../../form/leave-guard.ts";
import type { PanelProps } from "../../ui/Panel.tsx";
import { toast } from "../../ui/toast.ts";
import { SecretExpiredBody, SecretExpiredFoot } from "./SecretExpired.tsx";
import { useIdle } from "../../shell/idle.ts";
import { deleteMadeKey, type Made, type ShownOnce } from "./make-key.ts";
import { RevealBody, RevealFoot } from "./RevealBody.tsx";
import { RevealGate } from "./RevealGate.tsx";
import type { RevealKind } from "./reveal-kind.ts";
import { isTaken, reveal, revealStart, type RevealEvent } from "./reveal-state.ts";
import { forgetUnsaved, noteUnsaved } from "./unsaved.ts";

interface RevealOptions<Record extends ShownOnce> {
  kind: RevealKind<Record>;
  /** leads away from the dialog; called once, after the text is gone, with the key's hash */
  onClosed: (hash: string) => void;
  /** said over the facts, such as how long the replaced key lives */
  note?: ReactNode;
  /** what has happened, for the toast: "prod-search is created." */
  done: (name: string) => string;
  /** what else deleting it does, said where that is offered */
  deletingAlso?: string | undefined;
}

interface Reveal<Record extends ShownOnce> {
  /** Shows a key that was just made. */
  show: (made: Made<Record>) => void;
  /** the panel's properties, null until a key is shown */
  panel: PanelProps | null;
  /** the key that is shown, without its text */
  record: Record | undefined;
}

/**
 * The reveal as a panel's properties: it takes the form's place in the same dialog element. It owns the key's text from here on, and ends it on every way out: closing, leaving the page, the end of the session,
 * 15 idle minutes.
 */
export function useReveal<Record extends ShownOnce>(options: RevealOptions<Record>): Reveal<Record> {
  const { kind } = options;
  const [made, setMade] = useState<Made<Record> | null>(null);
  const panel = useRevealPanel(made, options);
  const show = (next: Made<Record>): void => {
    kind.onShown?.(next.record.hash);
    noteUnsaved(sessionStorage, next.record.hash, kind.unsaved);
    setMade(next);
  };
  return { show, panel, record: made?.record };
}

function useRevealPanel<Record extends ShownOnce>(
  made: Made<Record> | null,
  options: RevealOptions<Record>,
): PanelProps | null {
  const { kind, note, done, deletingAlso } = options;
  const { state, tell, taken, gone, idleSeconds, guard } = useLifetime(made, options);
  const deletion = useDeletion(kind, () => tell({ type: "closed" }));
  if (!made) return null;
  const { record } = made;
  const { deleting, problem } = deletion;
  const remove = (): void => void deletion.start(record);
  const keep = (): void => {
    toast({ message: done(record.name) });
    tell({ type: "closed" });
  };
  const leave = (): void => {
    if (deleting) return;
    if (guard.asking) guard.stay();
    else if (taken) keep();
    else tell({ type: "leave" });
  };

  if (gone !== null) {
    return {
      title: "The key is no longer here",
      tone: "brass",
      onDismiss: keep,
      busy: deleting,
      children: <SecretExpiredBody record={record} why={gone} taken={taken} />,
      footer: (
        <SecretExpiredFoot taken={taken} deleting={deleting} problem={problem} onClose={keep} onDelete={remove} />
      ),
    };
  }
  return {
    title: "Save your key",
    description: "This is the only time Gatehouse shows it. From now on only a hash is kept.",
    tone: "brass",
    outside: "ignore",
    busy: deleting,
    onDismiss: leave,
    gate:
      !taken && (state.asking || guard.asking) ? (
        <RevealGate
          deleting={deleting}
          problem={problem}
          also={deletingAlso}
          onBack={() => {
            guard.stay();
            tell({ type: "go-back" });
          }}
          onDelete={remove}
          onKeep={keep}
        />
      ) : undefined,
    footer: <RevealFoot state={state} onTick={(on) => tell({ type: "ticked", on })} onDone={leave} />,
    children: (
      <RevealBody
        made={made}
        variable={kind.variable}
        note={note}
        idleSeconds={idleSeconds}
        onTaken={(how) => tell({ type: how })}
      >
        {kind.details(made)}
      </RevealBody>
    ),
  };
}

/** Whether the key's text is still here and was taken, and the ways out of the dialog, each of which ends the text. */
function useLifetime<Record extends ShownOnce>(made: Made<Record> | null, { kind, onClosed }: RevealOptions<Record>) {
  const [state, dispatch] = useReducer(reveal, revealStart);
  const [gone, setGone] = useState<string | null>(null);
  const taken = isTaken(state);
  const guard = useLeaveGuard(made && !state.closed && !taken && gone === null ? "ask" : "free");
  useKeepPage(made !== null && !state.closed);
  const open = useRef(guard.open);

  const lose = useCallback(
    (why: string) => {
      if (made === null || made.vault.destroyed) return;
      made.vault.destroy();
      // at once, not with the next render: signing out navigates right after this
      open.current();
      setGone(why);
    },
    [made],
  );
  useEndings(made, lose);
  const idleSeconds = useIdle(
    made !== null && gone === null && !state.closed,
    useCallback(() => lose("the page was idle for 15 minutes"), [lose]),
  );

  function tell(event: RevealEvent): void {
    dispatch(event);
    if (isTaken(reveal(state, event))) forgetUnsaved(sessionStorage, kind.unsaved);
  }

  const finished = useEffectEvent((): void => {
    if (!made) return;
    made.vault.destroy();
    forgetUnsaved(sessionStorage, kind.unsaved);
    guard.open();
    // Back was pressed and has moved the browser already: going on from there, not back once more and out of the console
    if (guard.waiting) guard.leave();
    else onClosed(made.record.hash);
  });
  useEffect(() => {
    if (state.closed) finished();
  }, [state.closed]);
  return { state, tell, taken, gone, idleSeconds, guard };
}

/** Deletes a key that nobody saved; `deleted` closes the dialog. */
function useDeletion<Record extends ShownOnce>(kind: RevealKind<Record>, deleted: () => void) {
  const client = useQueryClient();
  const [deleting, setDeleting] = useState(false);
  const [problem, setProblem] = useState<string>();
  async function start(record: Record): Promise<void> {
    setDeleting(true);
    setProblem(undefined);
    try {
      await deleteMadeKey(record.hash, kind.remove);
      kind.onShown?.(null);
      // before closing, so that the focus does not go to a row that is about to disappear
      await refreshAfter(client, kind.remove);
      toast({ message: `${record.name} was deleted.` });
      deleted();
    } catch (error) {
      setProblem(`The key was not deleted. ${errorText(error)}`);
    } finally {
      setDeleting(false);
    }
  }
  return { deleting, problem, start };
}

/** The ends that are not a click: the page goes, or the session does. */
function useEndings(made: Made<ShownOnce> | null, lose: (why: string) => void): void {
  useEffect(() => {
    if (!made) return undefined;
    const left = () => lose("the page was left");
    window.addEventListener("pagehide", left);
    const stop = onSessionEnd(() => lose("the session ended"));
    return () => {
      window.removeEventListener("pagehide", left);
      stop();
    };
  }, [made, lose]);
}
