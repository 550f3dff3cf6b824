import { Link } from "@tanstack/react-router";
import type { AuditRecord } from "#contract/audit.ts";
import { paths } from "../../paths.ts";
import { tip } from "../../ui/Tooltip.tsx";

const pages: Readonly<Record<string, (workspace: string, id: string) => string>> = {
  key: paths.key,
  workspace: (workspace) => paths.workspaces(workspace),
  destination: paths.destination,
  guardrail: paths.guardrail,
  batch: paths.batch,
  management_key: (workspace) => paths.managementKeys(workspace),
};

interface TargetNameProps {
  record: AuditRecord;
  /** as written in the address */
  workspace: string;
}

/** What was changed, by its name, which leads to it; its id in the tooltip. */
export function TargetName({ record, workspace }: TargetNameProps) {
  const { target_type: type, target_id: id, target_name: name, after, action } = record;
  const text = name ?? (id.length > 20 ? `${id.slice(0, 12)}…` : id);
  const about = tip(text === id ? undefined : id);
  const to = pages[type]?.(workspace, id);
  // it was deleted by this very change
  if (to === undefined || (after === null && action.startsWith("delete"))) {
    return (
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the id must be had without a pointer
      <bdi tabIndex={0} className="rounded-1 wrap-anywhere" {...about}>
        {text}
      </bdi>
    );
  }
  return (
    <Link to={to} dir="auto" className="wrap-anywhere hover:underline" {...about}>
      {text}
    </Link>
  );
}
