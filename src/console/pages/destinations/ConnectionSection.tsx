import { useReachable } from "../../api/reachable.ts";
import { Button } from "../../ui/Button.tsx";
import { HeadersField } from "./HeadersField.tsx";
import { MemberField } from "./MemberField.tsx";
import type { Editing } from "./editor.ts";
import { unsavedConfig } from "./draft.ts";
import { formMembers } from "./kinds.ts";
import { TestAnswer } from "./TestAnswer.tsx";
import type { TestRun } from "./use-test.ts";

/** Where it goes: the members of the kind, as its table lists them, and a test of what is filled in. */
export function ConnectionSection({ editing, test }: { editing: Editing; test: ConnectionTest }) {
  return (
    <>
      {formMembers(editing.type).map(([name, member]) =>
        member.form === "headers" ? (
          <HeadersField key={name} editing={editing} />
        ) : (
          <MemberField key={name} name={name} member={member} editing={editing} test={test} />
        ),
      )}
      <div>
        <TestButton test={test} />
        <TestAnswer test={test.run} />
        {test.changed && (
          <p className="pt-2 text-12 text-fg-3">The connection was changed since the last test. Test it again.</p>
        )}
      </div>
    </>
  );
}

export interface ConnectionTest {
  run: TestRun;
  start: () => void;
  /** the last result is of other settings than the form has now */
  changed: boolean;
  passed: boolean;
}

/** Tests what the form has now, saved or not. A result belongs to the settings that it was made with. */
export function connectionTest(
  editing: Editing,
  run: TestRun,
  of: string,
  setOf: (of: string) => void,
): ConnectionTest {
  const { type, base, draft } = editing;
  const now = JSON.stringify(draft.config);
  const changed = run.result !== undefined && of !== fingerprint(now);
  return {
    run: changed ? { ...run, result: undefined } : run,
    changed,
    passed: !changed && run.result?.passed === true,
    start: () => {
      setOf(fingerprint(now));
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

export function TestButton({ test, size }: { test: ConnectionTest; size?: "sm" | "md" }) {
  const { reason } = useReachable();
  return (
    <Button size={size} pending={test.run.isPending} disabledReason={reason} onClick={test.start}>
      Test
    </Button>
  );
}
