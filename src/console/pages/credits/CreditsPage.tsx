import { useQuery } from "@tanstack/react-query";
import { Outlet, useNavigate } from "@tanstack/react-router";
import type { Output } from "#contract/endpoint.ts";
import { getCredits } from "#contract/credits.ts";
import { query } from "../../api/query.ts";
import { useReachable } from "../../api/connectivity.ts";
import { formatUsd } from "../../format.ts";
import { paths } from "../../paths.ts";
import { ButtonLink } from "../../shell/ButtonLink.tsx";
import { PageHeader } from "../../shell/PageHeader.tsx";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { useShortcut } from "../../shell/shortcuts.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Meter } from "../../ui/Meter.tsx";
import { Money } from "../../ui/Money.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { CreditEntries } from "./CreditEntries.tsx";

type Credits = Output<typeof getCredits>["data"];

const refreshEveryMs = 30_000;

/** What the whole account may spend, and what of it is spent. */
export function CreditsPage() {
  const { path } = useWorkspace();
  const { reachable } = useReachable();
  const navigate = useNavigate();
  const credits = useQuery({ ...query(getCredits, {}), refetchInterval: refreshEveryMs });
  useShortcut("c", "Add credits", () => void navigate({ to: paths.addCredits(path) }), reachable);
  return (
    <>
      <PageHeader
        title="Credits"
        sub="of the whole account"
        actions={
          <ButtonLink id="add-credits" to={paths.addCredits(path)} variant="primary">
            Add credits
          </ButtonLink>
        }
      />
      <QueryBoundary query={credits} what="the credits" skeleton={<Waiting />}>
        {({ data }) => <Left credits={data} />}
      </QueryBoundary>
      <CreditEntries />
      <Outlet />
    </>
  );
}

function Left({ credits: { total_credits: bought, total_usage: used } }: { credits: Credits }) {
  if (bought === 0) {
    return (
      <p className="max-w-160 px-8 pt-3 pb-6 text-fg-2 max-md:px-4">
        The account has no overall limit; {formatUsd(used)} has been spent so far. Once you add an entry, all keys
        together can spend no more than the sum of all entries, and calls beyond it get 402.
      </p>
    );
  }
  const left = Math.max(0, bought - used);
  return (
    <div className="grid max-w-128 gap-3 px-8 pt-4 pb-6 max-md:px-4">
      <div className="flex flex-wrap items-end gap-x-3 gap-y-1">
        <span className="text-28">
          <Money usd={left} focusable />
        </span>
        <span className="pb-1 text-fg-3">left of {formatUsd(bought)}</span>
      </div>
      <Meter
        fraction={used / bought}
        bars={128}
        height={12}
        label="Credits spent"
        valueText={`${formatUsd(used)} of ${formatUsd(bought)} spent`}
        className="w-full"
      />
      <p className="text-12 text-fg-3">
        {left === 0 && <span className="text-bad-fg">Paid calls get 402. </span>}
        {formatUsd(used)} spent since the beginning. It does not reset.
      </p>
    </div>
  );
}

function Waiting() {
  return (
    <div className="grid gap-4 px-8 pt-4 pb-6 max-md:px-4">
      <Skeleton width={220} height={32} />
      <Skeleton width={480} />
      <Skeleton width={260} />
    </div>
  );
}
