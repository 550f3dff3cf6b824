import { useState } from "react";
import { unsavedConfig } from "./draft.ts";
import type { Editing } from "./editor.ts";
import { useTest, type TestRun } from "./use-test.ts";

export interface ConnectionTest {
  run: TestRun;
  start: () => void;
  /** the last result is of other settings than the form has now */
  changed: boolean;
  passed: boolean;
}

/** Tests what the form has now, saved or not. A result belongs to the settings that it was made with. */
export function useConnectionTest({ type, base, draft }: Editing): ConnectionTest {
  const run = useTest();
  const [testedConfig, setTestedConfig] = useState("");
  const now = JSON.stringify(draft.config);
  const changed = run.result !== undefined && testedConfig !== fingerprint(now);
  return {
    run: changed ? { ...run, result: undefined } : run,
    changed,
    passed: !changed && run.result?.passed === true,
    start: () => {
      setTestedConfig(fingerprint(now));
      run.run({ ...(base && { id: base.id }), type, config: unsavedConfig(draft, base) });
    },
  };
}

/** Tells two connections apart without keeping their secrets: FNV-1a, 32 bits. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash.toString(16);
}
