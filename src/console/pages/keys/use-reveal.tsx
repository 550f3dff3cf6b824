import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useReducer, useRef, useState } from "react";
import type { ReactNode } from "react";
import { deleteKey } from "#contract/keys.ts";
import { refreshAfter } from "../../api/action.ts";
import { explain } from "../../api/explain.ts";
import { onSessionEnd } from "../../api/session.ts";
import { useLeaveGuard } from "../../form/leave-guard.ts";
import type { PanelProps } from "../../ui/Panel.tsx";
import { toast } from "../../ui/toast.ts";
import { GoneBody, GoneFoot } from "./Gone.tsx";
import { useIdle } from "./idle.ts";
import { forgetJustMade, noteJustMade } from "./just-made.ts";
import { unmakeKey } from "./make-key.ts";
import type { Made } from "./make-key.ts";
import { RevealBody, RevealFoot } from "./RevealBody.tsx";
import { RevealGate } from "./RevealGate.tsx";
import { isTaken, reveal, revealStart } from "./reveal-state.ts";
import { forgetUnsaved, noteUnsaved } from "./unsaved.ts";

interface RevealOptions {
  /** leads away from the dialog; called once, after the text is gone */
  onClosed: () => void;
  /** said over the facts, such as how long the replaced key lives */
  note?: ReactNode;
  /** what has happened, for the toast: "prod-search is created." */
  done: (name: string) => string;
}

/**
 * The reveal as a panel's properties, null until a key is made: it takes the form's place in the same dialog element.
 * It owns the key's text from here on, and ends it on every way out: closing, leaving the page, the end of the session,
 * 15 idle minutes.
 */
export function useReveal(made: Made | null, { onClosed, note, done }: RevealOptions): PanelProps | null {
  const client = useQueryClient();
  const [state, dispatch] = useReducer(reveal, revealStart);
  const [gone, setGone] = useState<string | null>(null);
  const [deleting, setDeleting] = useState(false);
  const [problem, setProblem] = useState<string>();
  const copyButton = useRef<HTMLButtonElement>(null);
  const taken = isTaken(state);
  const guard = useLeaveGuard(made && !state.closed && !taken && gone === null ? "ask" : "free");
  const hash = made?.record.hash;
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
  const left = useIdle(
    made !== null && gone === null && !state.closed,
    useCallback(() => lose("nobody touched this page for 15 minutes"), [lose]),
  );
  useEffect(() => {
    if (hash === undefined) return;
    noteJustMade(hash);
    noteUnsaved(sessionStorage, hash);
    copyButton.current?.focus();
  }, [hash]);
  useEffect(() => {
    if (taken) forgetUnsaved(sessionStorage);
  }, [taken]);

  function finish(): void {
    if (!made) return;
    made.vault.destroy();
    forgetUnsaved(sessionStorage);
    const waiting = guard.asking;
    guard.open();
    if (waiting) guard.leave();
    else onClosed();
  }
  const finished = useRef(finish);
  useEffect(() => {
    finished.current = finish;
  });
  useEffect(() => {
    if (state.closed) finished.current();
  }, [state.closed]);

  if (!made) return null;
  const { record, vault } = made;

  async function deleteAndClose(): Promise<void> {
    setDeleting(true);
    setProblem(undefined);
    try {
      await unmakeKey(record.hash);
      forgetJustMade();
      // before closing, so that the focus does not go to a row that is about to disappear
      await refreshAfter(client, deleteKey);
      toast({ message: `${record.name} is deleted.` });
      dispatch({ type: "closed" });
    } catch (error) {
      const { title, said } = explain(error);
      setProblem(`The key was not deleted. ${said ?? title}`);
    } finally {
      setDeleting(false);
    }
  }
  function keep(): void {
    toast({ message: done(record.name) });
    dispatch({ type: "closed" });
  }
  const leave = (): void => {
    if (deleting) return;
    if (guard.asking) guard.stay();
    else if (taken) keep();
    else dispatch({ type: "leave" });
  };
  const asking = !taken && (state.asking || guard.asking);

  if (gone !== null) {
    return {
      title: "The key is no longer here",
      tone: "brass",
      onDismiss: keep,
      busy: deleting,
      children: <GoneBody record={record} why={gone} taken={taken} />,
      footer: (
        <GoneFoot
          taken={taken}
          deleting={deleting}
          problem={problem}
          onClose={keep}
          onDelete={() => void deleteAndClose()}
        />
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
    gate: asking ? (
      <RevealGate
        deleting={deleting}
        problem={problem}
        onBack={() => {
          guard.stay();
          dispatch({ type: "go-back" });
        }}
        onDelete={() => void deleteAndClose()}
        onKeep={keep}
      />
    ) : undefined,
    footer: <RevealFoot state={state} onTick={(on) => dispatch({ type: "ticked", on })} onDone={leave} />,
    children: (
      <RevealBody
        made={{ record, vault }}
        note={note}
        idleSeconds={left}
        copyButton={copyButton}
        onTaken={(how) => dispatch({ type: how })}
      />
    ),
  };
}

/** The ends that are not a click: the page goes, or the session does. */
function useEndings(made: Made | null, lose: (why: string) => void): void {
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
