import { Notice } from "../../ui/Notice.tsx";
import type { SettingChange } from "./newer-key.ts";

/** It may come up above what is being typed in. */
const comeUp = (notice: HTMLDivElement) => notice.scrollIntoView({ block: "nearest" });

/** What somebody else changed while this form was filled in. */
export function KeyConflict({ changes }: { changes: readonly SettingChange[] }) {
  return (
    <div ref={comeUp}>
      <Notice tone="warn" role="status">
        <b className="font-semibold">Someone else changed this key.</b> Your edits are kept, and the other fields show
        the new values.
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
