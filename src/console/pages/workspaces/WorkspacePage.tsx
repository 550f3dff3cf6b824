import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { BudgetRecord } from "#contract/budgets.ts";
import { listByokKeys } from "#contract/byok.ts";
import { getEmbeddingCache } from "#contract/embedding-cache.ts";
import { getOverview, type Overview } from "#contract/overview.ts";
import type { WorkspaceRecord } from "#contract/workspaces.ts";
import { apiPath } from "../../api/base.ts";
import { useNow } from "../../api/clock.ts";
import { query } from "../../api/query.ts";
import { counted, formatBytes, formatUsd } from "../../format.ts";
import { paths, workspaceInPath } from "../../paths.ts";
import { ButtonLink } from "../../shell/ButtonLink.tsx";
import { PageHeader } from "../../shell/PageHeader.tsx";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { Meter } from "../../ui/Meter.tsx";
import { Money } from "../../ui/Money.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { budgetLasts, budgetResets, intervalOf, intervalTitles } from "./budget-labels.ts";
import { useBudgets } from "./use-budgets.ts";
import { useVideoWebhook } from "./use-video-webhook.ts";

const days = "30";
const refetchInterval = 30_000;

/** One workspace: what it spends and may spend, its keys, and what else is set for it. */
export function WorkspacePage() {
  const { id = "" } = useParams({ strict: false });
  const { path } = useWorkspace();
  const { workspace, budgets } = useBudgets(id);
  const own = workspace === undefined ? id : workspaceInPath(workspace);
  return (
    <>
      <PageHeader
        title={workspace?.name ?? (budgets.isError ? "It no longer exists" : id)}
        sub={
          <Link to={paths.workspaces(path)} className={linkTextClass}>
            All workspaces
          </Link>
        }
        actions={
          workspace && (
            <>
              <ButtonLink to={paths.editWorkspace(path, own)}>Edit</ButtonLink>
              <ButtonLink to={paths.newKey(own)} variant="primary">
                Create key
              </ButtonLink>
            </>
          )
        }
      />
      {workspace === undefined ? (
        <QueryBoundary query={budgets} what="the workspace" skeleton={<Waiting />}>
          {() => <p className="px-8 pt-3 text-fg-2 max-md:px-4">No workspace has this slug or id.</p>}
        </QueryBoundary>
      ) : (
        <Sections workspace={workspace} budgets={budgets} own={own} />
      )}
    </>
  );
}

interface SectionsProps {
  workspace: WorkspaceRecord;
  budgets: ReturnType<typeof useBudgets>["budgets"];
  /** as written in an address */
  own: string;
}

function Sections({ workspace, budgets, own }: SectionsProps) {
  const { path } = useWorkspace();
  const asked = { workspace_id: workspace.id, by: "day", last: days, group_by: "key" } as const;
  const overview = useQuery({ ...query(getOverview, { query: asked }), refetchInterval });
  return (
    <div className="grid gap-x-14 gap-y-8 px-8 pt-4 pb-10 max-md:px-4 lg:grid-cols-[minmax(0,1fr)_320px]">
      <div className="grid content-start gap-8">
        {workspace.description && (
          <p dir="auto" className="max-w-160 text-13 text-fg-2">
            {workspace.description}
          </p>
        )}
        <QueryBoundary query={overview} what="what it spent" skeleton={<Skeleton width={320} height={56} />}>
          {({ data }) => <Spent spend={data.spend} />}
        </QueryBoundary>
        <Part title="Budgets" to={paths.workspaceBudgets(path, own)} action="Change the budgets">
          <QueryBoundary query={budgets} what="the budgets" skeleton={<Skeleton width={320} height={28} />}>
            {({ data }) => <Budgets budgets={data} />}
          </QueryBoundary>
        </Part>
        <Part title="Keys" to={paths.keys(own)} action="All keys">
          <QueryBoundary query={overview} what="its keys" skeleton={<Skeleton width={320} height={28} />}>
            {({ data }) => <TopKeys series={data.usage.series} workspace={workspace} own={own} />}
          </QueryBoundary>
        </Part>
      </div>
      <div className="grid content-start gap-8">
        <ProviderKeys workspace={workspace} />
        <Cache id={workspace.id} own={own} />
        <Notifications id={workspace.id} own={own} />
        <p className="text-12 text-fg-3">
          A call has to fit the key's limit, its guardrails' budgets, the budgets here, and the account's credits.{" "}
          <a href={apiPath("/docs/limits")} className={linkTextClass}>
            Which limit does what
          </a>
        </p>
      </div>
    </div>
  );
}

function Spent({ spend }: { spend: Overview["spend"] }) {
  const figures = [
    ["Today", spend.today],
    ["This week", spend.week],
    ["This month", spend.month],
  ] as const;
  return (
    <dl className="grid grid-cols-3 gap-4">
      {figures.map(([term, usd]) => (
        <div key={term} className="grid gap-1">
          <dt className="text-12 text-fg-3">{term}, UTC</dt>
          <dd className="text-20 tracking-tight wrap-anywhere">
            <Money usd={usd} focusable />
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface PartProps {
  title: string;
  /** where it is changed, or listed whole */
  to: string;
  action: string;
  children: ReactNode;
}

function Part({ title, to, action, children }: PartProps) {
  return (
    <section aria-label={title}>
      <div className="flex items-baseline justify-between gap-4 border-b border-line-2 pb-1.5">
        <h2 className="text-15">{title}</h2>
        <Link to={to} className={`${linkTextClass} text-12`}>
          {action}
        </Link>
      </div>
      <div className="pt-3 text-13">{children}</div>
    </section>
  );
}

function Budgets({ budgets }: { budgets: readonly BudgetRecord[] }) {
  const now = useNow(refetchInterval);
  if (budgets.length === 0) {
    return <p className="text-fg-2">No budget: its keys may spend what their own limits allow.</p>;
  }
  return (
    <ul className="grid gap-4">
      {budgets.map((budget) => {
        const title = intervalTitles[intervalOf(budget)];
        const spent = `${formatUsd(budget.spent_usd)} of ${formatUsd(budget.limit_usd)} spent`;
        return (
          <li key={budget.id} className="grid max-w-128 gap-1.5">
            <p className="flex flex-wrap items-baseline justify-between gap-x-4">
              <span className="font-semibold">{title}</span>
              <span className="text-fg-2">{spent}</span>
            </p>
            <Meter
              fraction={budget.spent_usd / budget.limit_usd}
              bars={128}
              label={`${title} budget`}
              valueText={spent}
              className="w-full"
            />
            <p className="text-12 text-fg-3">
              {budget.spent_usd >= budget.limit_usd && <span className="text-bad-fg">Calls get 403. </span>}
              {[budgetResets(budget, now), budgetLasts(budget, now)].filter((words) => words !== "").join(" ")}
            </p>
          </li>
        );
      })}
    </ul>
  );
}

interface TopKeysProps {
  series: Overview["usage"]["series"];
  workspace: WorkspaceRecord;
  own: string;
}

function TopKeys({ series, workspace, own }: TopKeysProps) {
  const active = `${counted(workspace.active_keys, "key")} active`;
  const keys = series.filter(({ total }) => total.requests > 0);
  const over = workspace.over_limit_keys > 0 ? `, ${workspace.over_limit_keys} over the limit` : "";
  return (
    <>
      <p className="pb-2 text-fg-2">
        {active}
        {over}.{keys.length > 0 && ` These spent the most in the last ${days} days:`}
      </p>
      <ul>
        {keys.map(({ group, name, total }) => (
          <li key={group} className="flex min-h-9 items-center justify-between gap-4 border-b border-line">
            {group === null ? (
              <span className="text-fg-2">All others</span>
            ) : (
              <Link to={paths.key(own, group)} dir="auto" className="min-w-0 truncate hover:underline">
                {name ?? `${group.slice(0, 8)}…, deleted`}
              </Link>
            )}
            <span className="flex shrink-0 items-baseline gap-4">
              <span className="text-12 text-fg-3">{counted(total.requests, "call")}</span>
              <Money usd={total.usage} focusable />
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function ProviderKeys({ workspace }: { workspace: WorkspaceRecord }) {
  const { path } = useWorkspace();
  const read = useQuery(query(listByokKeys, { query: { workspace_id: workspace.id } }));
  return (
    <Part title="Own provider keys" to={paths.providers(path)} action="Providers">
      <QueryBoundary query={read} what="its own provider keys" skeleton={<Skeleton width={160} />}>
        {({ data, total_count: total }) =>
          data.length === 0 ? (
            <p className="text-fg-2">None: its calls use the providers' shared keys.</p>
          ) : (
            <ul className="grid gap-1">
              {data.map((one) => (
                <li key={one.id} className="flex items-baseline justify-between gap-3">
                  <Link to={paths.provider(path, one.provider)} className={linkTextClass}>
                    {one.provider}
                  </Link>
                  <span className="truncate text-12 text-fg-3">
                    {one.name ?? one.label}
                    {one.disabled && ", disabled"}
                  </span>
                </li>
              ))}
              {total > data.length && <li className="text-12 text-fg-3">{total - data.length} more are not listed.</li>}
            </ul>
          )
        }
      </QueryBoundary>
    </Part>
  );
}

function Cache({ id, own }: { id: string; own: string }) {
  const { path } = useWorkspace();
  const read = useQuery(query(getEmbeddingCache, { params: { id }, query: { last: days } }));
  return (
    <Part title="Embedding cache" to={paths.workspaceCache(path, own)} action="Open">
      <QueryBoundary query={read} what="the embedding cache" skeleton={<Skeleton width={160} />}>
        {({ data }) => (
          <p className="text-fg-2">
            {data.enabled ? `${counted(data.entries, "vector")}, ${formatBytes(data.bytes)}.` : "Off."}
            {data.savings.saved > 0 && ` Saved ${formatUsd(data.savings.saved)} in ${days} days.`}
          </p>
        )}
      </QueryBoundary>
    </Part>
  );
}

function Notifications({ id, own }: { id: string; own: string }) {
  const { path } = useWorkspace();
  const { webhook } = useVideoWebhook(id);
  return (
    <Part title="Video notifications" to={paths.videoWebhook(path, own)} action="Open">
      <QueryBoundary query={webhook} what="the video notifications" skeleton={<Skeleton width={160} />}>
        {({ data }) => <p className="text-fg-2 wrap-anywhere">{data.url ?? "Off."}</p>}
      </QueryBoundary>
    </Part>
  );
}

function Waiting() {
  return (
    <div className="grid gap-4 px-8 pt-4 max-md:px-4">
      <Skeleton width={320} height={56} />
      <Skeleton width={320} height={28} />
    </div>
  );
}
