import { useQuery } from "@tanstack/react-query";
import { listAudit } from "#contract/audit.ts";
import type { DestinationRecord } from "#contract/destinations.ts";
import { useNow } from "../../api/clock.ts";
import { query } from "../../api/query.ts";
import { counted, formatRelative } from "../../format.ts";
import { Button } from "../../ui/Button.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { RadioGroup, Radio } from "../../ui/Radio.tsx";
import { conflictId } from "./conflict-id.ts";
import { updateBody } from "./draft.ts";
import { memberTitle } from "./member-title.ts";
import { takeMine, takeTheirs } from "./merge.ts";
import { rulesSentence, textOf } from "./rule-labels.ts";
import type { RulesDraft } from "./rules.ts";
import { percentText } from "./sampling.ts";
import type { Conflict, Editor } from "./use-editor.ts";

interface ConflictNoticeProps {
  editor: Editor;
  base: DestinationRecord;
  conflict: Conflict;
}

/** Somebody else saved meanwhile. Members changed on one side are merged; for those changed on both, the user picks. */
export function ConflictNotice({ editor, base, conflict: { theirs, overlaps } }: ConflictNoticeProps) {
  const now = useNow(5_000);
  const who = useLastActor(base.id);
  const own = updateBody(base, editor.draft);
  const title = (path: string) => memberTitle(path, base.type);
  return (
    <div id={conflictId} tabIndex={-1} className="scroll-mt-24 px-8 pb-4 max-md:px-4">
      <Notice
        tone="warn"
        role="status"
        action={
          overlaps.length === 0 && (
            <Button size="sm" variant="quiet" onClick={editor.dismissConflict}>
              Got it
            </Button>
          )
        }
      >
        <b className="font-semibold">
          {who ?? "Someone else"} changed this {formatRelative(new Date(base.updated_at), now)}:
        </b>{" "}
        {theirs.map(title).join(", ")}.{" "}
        {overlaps.length === 0
          ? "Your edits are kept next to theirs."
          : "Your other edits are kept next to theirs. You both changed these:"}
      </Notice>
      {overlaps.length > 0 && (
        <div className="overflow-x-auto" tabIndex={0} role="region" aria-label="What both of you changed">
          <table className="w-full text-12">
            <thead>
              <tr className="text-left text-fg-3">
                <th scope="col" className="h-[30px] pr-4 font-normal">
                  Member
                </th>
                <th scope="col" className="pr-4 font-normal">
                  Before
                </th>
                <th scope="col" className="pr-4 font-normal">
                  Yours
                </th>
                <th scope="col" className="pr-4 font-normal">
                  Theirs
                </th>
                <th scope="col" className="font-normal">
                  Keep
                </th>
              </tr>
            </thead>
            <tbody>
              {overlaps.map((overlap) => (
                <tr key={overlap.path} className="border-t border-line align-top">
                  <th scope="row" className="py-1.5 pr-4 text-left font-semibold">
                    {title(overlap.path)}
                  </th>
                  <td className="max-w-60 py-1.5 pr-4 break-words text-fg-2">{shown(overlap.path, overlap.base)}</td>
                  <td className="max-w-60 py-1.5 pr-4 break-words">{shown(overlap.path, overlap.mine)}</td>
                  <td className="max-w-60 py-1.5 pr-4 break-words">{shown(overlap.path, overlap.theirs)}</td>
                  <td>
                    <RadioGroup
                      label={`Keep for ${title(overlap.path)}`}
                      value={isOwn(own, overlap.path) ? "mine" : "theirs"}
                      onChange={(pick) =>
                        editor.setDraft(
                          pick === "mine"
                            ? takeMine(editor.draft, overlap)
                            : takeTheirs(editor.draft, base, overlap.path),
                        )
                      }
                    >
                      <Radio value="mine" label="Yours" />
                      <Radio value="theirs" label="Theirs" />
                    </RadioGroup>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}

function isOwn(body: ReturnType<typeof updateBody>, path: string): boolean {
  return path.startsWith("config.") ? path.slice(7) in (body.config ?? {}) : path in body;
}

/** Who made the latest change, from the audit log; undefined where that cannot be read. */
function useLastActor(id: string): string | undefined {
  const { data } = useQuery(query(listAudit, { query: { target_type: "destination", target_id: id, limit: "1" } }));
  return data?.data[0]?.actor;
}

/** A value of either side in words; for a secret, only what happened to it. */
function shown(path: string, value: unknown): string {
  if (value === null || value === undefined) return path === "api_key_hashes" ? "All keys" : "None";
  if (path === "privacy_mode") return value === true ? "Metadata only" : "Prompts and responses are sent";
  if (path === "sampling_rate") return `${percentText(Number(value))}%`;
  if (path === "filter_rules") return textOf(rulesSentence(value as RulesDraft));
  if (path === "api_key_hashes") return counted((value as string[]).length, "key");
  if (typeof value === "boolean") return value ? "Sent" : "Not sent";
  if (typeof value === "string") return value === "" ? "None" : value;
  const names = Array.isArray(value) ? value.map(({ name }: { name: string }) => name) : undefined;
  if (names) return names.join(", ") || "None";
  const state = (value as { state?: string }).state;
  if (state !== undefined) return state === "removed" ? "Removed" : "A new secret";
  return Object.keys(value).join(", ");
}
