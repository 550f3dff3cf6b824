import { useMemo } from "react";
import type { PresetVersion } from "#contract/presets.ts";
import { cx } from "../../ui/cx.ts";
import { type DiffRow, diffRows, promptText, settingsText } from "./version-diff.ts";

/** What one version has otherwise than another, line by line. */
export function VersionDiff({ before, after }: { before: PresetVersion; after: PresetVersion }) {
  const prompt = useMemo(() => diffRows(promptText(before), promptText(after)), [before, after]);
  const settings = useMemo(() => diffRows(settingsText(before), settingsText(after)), [before, after]);
  if (prompt.length + settings.length === 0) {
    return (
      <p role="status" className="text-fg-2">
        Both have the same settings and system prompt.
      </p>
    );
  }
  const between = `version ${before.version} and version ${after.version}`;
  return (
    <div className="grid grid-cols-1 gap-4">
      <Lines title="System prompt" label={`The system prompts of ${between}`} rows={prompt} />
      <Lines title="Settings" label={`The settings of ${between}`} rows={settings} />
    </div>
  );
}

const tones = { same: "text-fg-2", added: "bg-ok-bg text-fg-1", removed: "bg-bad-bg text-fg-1" };
const marks = { same: " ", added: "+", removed: "−" };
const spoken = { same: "", added: "added: ", removed: "removed: " };

function Lines({ title, label, rows }: { title: string; label: string; rows: readonly DiffRow[] }) {
  return (
    <section className="min-w-0">
      <h3 className="pb-1 text-13">{title}</h3>
      {rows.length === 0 ? (
        <p className="text-12 text-fg-3">The same in both.</p>
      ) : (
        <div
          role="region"
          aria-label={label}
          // a region that scrolls must be reachable by the keyboard
          tabIndex={0}
          className="max-h-120 overflow-auto border-l-2 border-line-2 bg-bg-2 py-2 font-mono text-[12px] leading-[19px] [font-variant-ligatures:none]"
        >
          {rows.map((row, index) =>
            row.kind === "skipped" ? (
              <p key={index} className="px-3.5 py-1 text-fg-3">
                {row.lines} equal lines
              </p>
            ) : (
              <div key={index} className={cx("flex px-3.5", tones[row.kind])}>
                <span aria-hidden="true" className="w-5 shrink-0 select-none">
                  {marks[row.kind]}
                </span>
                <span className="sr-only">{spoken[row.kind]}</span>
                <span dir="auto" className="min-w-0 whitespace-pre-wrap wrap-anywhere">
                  {row.text || " "}
                </span>
              </div>
            ),
          )}
        </div>
      )}
    </section>
  );
}
