import { useEffect, useState } from "react";
import { useWorkspace } from "../../shell/workspace.ts";
import { Notice } from "../../ui/Notice.tsx";
import type { Run } from "./playground.ts";
import { refusalWords } from "./refusal-words.ts";
import type { Wait } from "./run-batch.ts";

/** Why a run stands still, and the seconds until it goes on by itself. Only the reason is read out, once. */
export function WaitNotice({ run, wait: { refused, until } }: { run: Run; wait: Wait }) {
  const { path } = useWorkspace();
  const left = useSecondsUntil(until);
  return (
    <Notice tone="warn" className="shrink-0">
      <strong className="font-semibold" role="status">
        {refusalWords(refused, run, path).title}
      </strong>
      , {left > 0 ? `trying again in ${left} s` : "trying again now"}.{" "}
      <span className="text-fg-2">“{refused.message}”</span>
    </Notice>
  );
}

function useSecondsUntil(until: number): number {
  const [time, setTime] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setTime(Date.now()), 250);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.ceil((until - time) / 1_000));
}
