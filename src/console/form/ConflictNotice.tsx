import { Notice } from "../ui/Notice.tsx";
import type { SettingChange } from "./newer-version.ts";

/** It may come up above what is being typed in. */
const comeUp = (notice: HTMLDivElement | null) => notice?.scrollIntoView({ block: "nearest" });

/** What somebody else changed while this form was filled in. */
export function ConflictNotice({ noun, changes }: { noun: string; changes: readonly SettingChange[] }) {
  if (changes.length === 0) return null;
  return (
    <div ref={comeUp}>
      <Notice tone="warn" role="status">
        <b className="font-semibold">Someone else changed this {noun}.</b> Your edits are kept, and the other fields
        show the new values.
        <ul>
          {changes.map(({ label, before, after }) => (
            <li key={label}>
              {label}: {before} → {after}
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  );
}
