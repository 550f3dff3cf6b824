import { useEffect, useRef, useState } from "react";
import { formatCount } from "../../format.ts";
import { drawnAt } from "./playground.ts";
import type { Run } from "./playground.ts";

const kept = 10;

/** How a run goes, for those who hear it: with every eighth and at its end, not ten times a second. */
export function ProgressLog({ run }: { run: Run }) {
  const [lines, setLines] = useState<string[]>([]);
  const latest = useRef(run);
  latest.current = run;
  const step = `${run.id} ${drawnAt(run)} ${run.progress.state}`;
  useEffect(() => {
    const { id, progress } = latest.current;
    const { done, total, failures, state } = progress;
    const failed = failures.length > 0 ? `, ${formatCount(failures.length)} failed` : "";
    const line = `Run ${id} ${state}: ${formatCount(done)} of ${formatCount(total)} vectors${failed}`;
    setLines((before) => [...before, line].slice(-kept));
  }, [step]);
  return (
    <div role="log" aria-label="Progress" className="sr-only">
      {lines.map((line, index) => (
        <p key={`${index} ${line}`}>{line}</p>
      ))}
    </div>
  );
}
