import { useSyncExternalStore } from "react";
import { useWorkspace } from "../../shell/workspace.ts";
import { Notice } from "../../ui/Notice.tsx";
import type { Run } from "./playground.ts";
import { refusalMessage } from "./refusal-messages.ts";
import type { Wait } from "../../vectors/run-batch.ts";

/** Why a run is paused, and the seconds until it resumes by itself. Only the reason is announced, once. */
export function WaitNotice({ run, wait: { refused, until } }: { run: Run; wait: Wait }) {
  const { path } = useWorkspace();
  const left = useSecondsUntil(until);
  return (
    <Notice tone="warn" className="shrink-0">
      <strong className="font-semibold" role="status">
        {refusalMessage(refused, run, path).title}
      </strong>
      , {left > 0 ? `trying again in ${left} s` : "trying again now"}.{" "}
      <span className="text-fg-2">“{refused.message}”</span>
    </Notice>
  );
}

function useSecondsUntil(until: number): number {
  return useSyncExternalStore(everyQuarterSecond, () => Math.max(0, Math.ceil((until - Date.now()) / 1_000)));
}

function everyQuarterSecond(listener: () => void): () => void {
  const timer = setInterval(listener, 250);
  return () => clearInterval(timer);
}
