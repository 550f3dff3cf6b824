import { useEffect, useEffectEvent, useState } from "react";
import { counted, formatCount } from "../../format.ts";
import { drawnAt, type Run } from "./playground.ts";

const kept = 10;

/** How a run goes, for those who hear it: with every eighth and at its end, not ten times a second. */
export function ProgressLog({ run }: { run: Run }) {
  const [lines, setLines] = useState<string[]>([]);
  const step = `${run.id} ${drawnAt(run)} ${run.progress.state}`;
  const note = useEffectEvent(() => {
    const { id, progress } = run;
    const { done, total, failures, state } = progress;
    const failed = failures.length > 0 ? `, ${formatCount(failures.length)} failed` : "";
    const line = `Run ${id} ${state}: ${formatCount(done)} of ${counted(total, "vector")}${failed}`;
    setLines((before) => [...before, line].slice(-kept));
  });
  useEffect(() => note(), [step]);
  return (
    <div role="log" aria-label="Progress" className="sr-only">
      {lines.map((line, index) => (
        <p key={`${index} ${line}`}>{line}</p>
      ))}
    </div>
  );
}
