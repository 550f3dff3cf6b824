import type { AuditRecord } from "#contract/audit.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { Facts } from "../../ui/Facts.tsx";
import { tip } from "../../ui/Tooltip.tsx";
import { inverseOf } from "./inverse.ts";
import { RevertChange } from "./RevertChange.tsx";
import { memberChanges } from "./labels.ts";
import { TargetName } from "./TargetName.tsx";

/** One change in full: every member before and after, and the way back where there is one. */
export function AuditDetail({ record }: { record: AuditRecord }) {
  const changes = memberChanges(record);
  const inverse = inverseOf(record);
  const { path } = useWorkspace();
  return (
    <div className="grid max-w-240 gap-4">
      {changes.length > 0 ? <Changes changes={changes} /> : <p className="text-12 text-fg-2">No field was changed.</p>}
      <Facts
        columns={2}
        facts={[
          { term: "Record", value: <Id text={record.id} what="record's id" /> },
          {
            term: "Request",
            value: record.request_id === null ? "–" : <Id text={record.request_id} what="request's id" />,
          },
          { term: "Target", value: <TargetName record={record} workspace={path} /> },
          { term: "Target id", value: <Id text={record.target_id} what="target id" /> },
          { term: "Who", value: record.actor },
          { term: "IP address", value: record.source_ip ?? "–" },
        ]}
      />
      {inverse !== null && <RevertChange record={record} inverse={inverse} />}
    </div>
  );
}

function Changes({ changes }: { changes: ReturnType<typeof memberChanges> }) {
  return (
    <table className="w-full text-left text-12">
      <thead>
        <tr className="text-fg-3">
          {["Field", "Before", "After"].map((title) => (
            <th key={title} scope="col" className="border-b border-line-2 py-1 pr-4 font-normal">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {changes.map(({ member, words, before, after }) => (
          <tr key={member}>
            <th scope="row" className="border-b border-line py-1 pr-4 font-normal">
              <span {...tip(words !== member && member)}>{words}</span>
            </th>
            <td className="border-b border-line py-1 pr-4 break-all text-fg-2">{before}</td>
            <td className="border-b border-line py-1 break-all">{after}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Id({ text, what }: { text: string; what: string }) {
  return (
    <span className="flex items-center gap-1">
      <span className="font-mono break-all">{text}</span>
      <CopyButton text={text} label={`Copy the ${what}`} />
    </span>
  );
}
