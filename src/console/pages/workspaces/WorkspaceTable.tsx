import { Link, useNavigate } from "@tanstack/react-router";
import { Ellipsis } from "lucide-react";
import type { WorkspaceRecord } from "#contract/workspaces.ts";
import { useNow } from "../../api/clock.ts";
import { useReachable } from "../../api/reachable.ts";
import { paths, workspaceInPath } from "../../paths.ts";
import { usePreference } from "../../preferences.ts";
import { ledger } from "../../shell/ledger.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { Menu } from "../../ui/Menu.tsx";
import { Money } from "../../ui/Money.tsx";
import { Skeleton, SkeletonTwo } from "../../ui/Skeleton.tsx";
import { Time } from "../../ui/Time.tsx";

function Head() {
  const zone = usePreference("zone");
  return (
    <thead>
      <tr>
        <th scope="col" className={`${ledger.head} ${ledger.fixed}`}>
          Name
        </th>
        <th scope="col" className={ledger.head}>
          Slug
        </th>
        <th scope="col" className={ledger.head}>
          Id
        </th>
        <th scope="col" className={`${ledger.head} ${ledger.figures}`}>
          Active keys
        </th>
        <th scope="col" className={`${ledger.head} ${ledger.figures}`}>
          Spent this month, UTC
        </th>
        <th scope="col" className={ledger.head}>
          Created, {zone === "utc" ? "UTC" : "local time"}
        </th>
        <th scope="col" className={ledger.head}>
          <span className="sr-only">Actions</span>
        </th>
      </tr>
    </thead>
  );
}

/** Where the focus goes back to from a row's panel or dialog. */
export function actionsId(workspace: Pick<WorkspaceRecord, "id">): string {
  return `actions-${workspace.id}`;
}

export function WorkspaceTable({ workspaces }: { workspaces: readonly WorkspaceRecord[] }) {
  return (
    <div className={ledger.scroll} role="region" aria-label="Workspaces, scrolls sideways" tabIndex={0}>
      <table className={ledger.table}>
        <Head />
        <tbody>
          {workspaces.map((workspace) => (
            <Row key={workspace.id} workspace={workspace} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ workspace }: { workspace: WorkspaceRecord }) {
  const zone = usePreference("zone");
  const now = useNow(60_000);
  const own = workspaceInPath(workspace);
  return (
    <tr className="hover:bg-bg-2">
      <th scope="row" className={`${ledger.cell} ${ledger.fixed} font-normal`}>
        <div className="flex items-baseline gap-2 leading-4">
          <Link to={paths.keys(own)} className="font-semibold text-fg-1 hover:underline">
            {workspace.name}
          </Link>
          {workspace.is_default && <span className="text-12 text-fg-3">default</span>}
        </div>
        {workspace.description && (
          <div className="max-w-80 truncate max-md:max-w-[146px] text-11 tracking-open text-fg-3">
            {workspace.description}
          </div>
        )}
      </th>
      <td className={`${ledger.cell} font-mono text-12 text-fg-2`}>{workspace.slug}</td>
      <td className={ledger.cell}>
        <span className="flex items-center gap-1 font-mono text-12 text-fg-2">
          <span title={workspace.id}>{workspace.id.slice(0, 8)}…</span>
          <CopyButton text={workspace.id} label={`Copy the id of ${workspace.name}`} />
        </span>
      </td>
      <td className={`${ledger.cell} ${ledger.figures}`}>{workspace.active_keys.toLocaleString("en-US")}</td>
      <td className={`${ledger.cell} ${ledger.figures}`}>
        <Money usd={workspace.usage_monthly} dash />
      </td>
      <td className={ledger.cell}>
        <Time iso={workspace.created_at} show="day" zone={zone} now={now} />
      </td>
      <td className={`${ledger.cell} text-right`}>
        <RowMenu workspace={workspace} />
      </td>
    </tr>
  );
}

function RowMenu({ workspace }: { workspace: WorkspaceRecord }) {
  const navigate = useNavigate();
  const { path } = useWorkspace();
  const { reason } = useReachable();
  const own = workspaceInPath(workspace);
  return (
    <Menu
      trigger={
        <IconButton id={actionsId(workspace)} label={`Actions for ${workspace.name}`}>
          <Ellipsis size={16} aria-hidden="true" />
        </IconButton>
      }
      items={[
        { label: "Show its keys", onSelect: () => void navigate({ to: paths.keys(own) }) },
        { label: "Show its calls", onSelect: () => void navigate({ to: paths.calls(own) }) },
        { label: "Budgets", onSelect: () => void navigate({ to: paths.workspaceBudgets(path, own) }) },
        {
          label: "Edit",
          disabledReason: reason,
          onSelect: () => void navigate({ to: paths.editWorkspace(path, own) }),
        },
        { kind: "line" },
        {
          label: "Delete",
          danger: true,
          disabledReason: workspace.is_default
            ? "The default workspace stays: keys without another one go there."
            : reason,
          onSelect: () => void navigate({ to: paths.deleteWorkspace(path, own) }),
        },
      ]}
    />
  );
}

export function WorkspaceTableSkeleton() {
  return (
    <table className={ledger.table}>
      <Head />
      <tbody>
        {[132, 96, 118].map((width) => (
          <tr key={width}>
            <td className={ledger.cell}>
              <SkeletonTwo width={width} />
            </td>
            {[72, 84, 24, 60, 64].map((cell) => (
              <td key={cell} className={ledger.cell}>
                <Skeleton width={cell} />
              </td>
            ))}
            <td className={ledger.cell} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}
