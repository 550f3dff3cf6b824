import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import {
  acceptCanaryBaseline,
  baselineCalls,
  type CanaryRecord,
  canaryTexts,
  checkCanary,
  deleteCanary,
  formatDistance,
  listCanaryRuns,
} from "#contract/canaries.ts";
import { minuteMs } from "#contract/time.ts";
import { useAction } from "../../api/action.ts";
import { useNow } from "../../api/clock.ts";
import { useReachable } from "../../api/connectivity.ts";
import { errorText } from "../../api/error-messages.ts";
import { query } from "../../api/query.ts";
import { ActionDialog } from "../../form/ActionDialog.tsx";
import { formatRelative } from "../../format.ts";
import { paths } from "../../paths.ts";
import { ButtonLink } from "../../shell/ButtonLink.tsx";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { RowMenu } from "../../table/RowMenu.tsx";
import { Bars } from "../../ui/Bars.tsx";
import { Button } from "../../ui/Button.tsx";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Status } from "../../ui/Status.tsx";
import { toast } from "../../ui/toast.ts";
import {
  canaryBars,
  canarySentence,
  canaryStatus,
  driftParts,
  driftTones,
  historySentence,
  intervalName,
} from "./canary.ts";
import type { ModelRow, Offer } from "./offers.ts";
import { readEveryMs, useCanaries } from "./use-canaries.ts";

/** Whether the vectors of a model are still what they were, by provider. */
export function Canaries({ row }: { row: ModelRow }) {
  const canaries = useCanaries(row.id);
  const watchable = row.offers.filter(({ provider }) => provider.kind !== "builtin");
  if (watchable.length === 0) return null;
  return (
    <section aria-labelledby="drift" className="mt-6 border-t border-line px-8 pt-5 pb-2 max-md:px-4">
      <h2 id="drift" className="text-16 text-[15px]">
        Drift
      </h2>
      <p className="max-w-180 pt-1 pb-2 text-fg-2">
        A provider can change a model behind the same name: no call fails, and searches in an older index get worse. A
        canary embeds the same {canaryTexts} texts on a schedule and compares the vectors.
      </p>
      <QueryBoundary query={canaries} what="the canaries" skeleton={<Skeleton height={56} />}>
        {({ data }) => (
          <ul>
            {watchable.map((offer) => {
              const canary = data.find(({ provider }) => provider === offer.provider.slug);
              return (
                <li key={offer.provider.slug} className="border-t border-line py-4 first:border-t-0">
                  {canary ? <Watched canary={canary} offer={offer} /> : <Unwatched offer={offer} />}
                </li>
              );
            })}
          </ul>
        )}
      </QueryBoundary>
    </section>
  );
}

/** Of the button that opens a provider's panel, which gets the focus back. */
export const watchId = (provider: string) => `watch-${provider}`;

function Unwatched({ offer: { provider, model } }: { offer: Offer }) {
  const { path } = useWorkspace();
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <ProviderLink provider={provider} />
      <Status kind="off" word="Not watched" className="mr-auto" />
      <ButtonLink
        id={watchId(provider.slug)}
        to={paths.canary(path, model.id, provider.slug)}

        aria-label={`Watch ${provider.name}`}
        size="sm"
      >
        Watch
      </ButtonLink>
    </div>
  );
}

function ProviderLink({ provider }: Pick<Offer, "provider">) {
  const { path } = useWorkspace();
  return (
    <h3 className="min-w-0 font-semibold break-words">
      <Link to={paths.provider(path, provider.slug)} className={linkTextClass}>
        {provider.name}
      </Link>
    </h3>
  );
}

function Watched({ canary, offer: { provider } }: { canary: CanaryRecord; offer: Offer }) {
  const { path } = useWorkspace();
  const navigate = useNavigate();
  const { reason } = useReachable();
  const now = useNow(minuteMs);
  const [asking, setAsking] = useState<"accept" | "remove" | null>(null);
  const check = useAction(checkCanary, {
    onError: (error) => toast({ tone: "trouble", message: `The check did not run. ${errorText(error)}` }),
  });
  const busy = canary.running && "It is being checked.";
  const isOff = canary.status === "drift" || canary.status === "suspected";
  const next = canary.running ? "" : `, next ${formatRelative(new Date(canary.next_run_at), now)}`;
  return (
    <article aria-label={`Drift of ${provider.name}`} className="grid max-w-250 gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <ProviderLink provider={provider} />
        <Status {...canaryStatus(canary)} className="mr-auto" />
        <div className="flex flex-wrap items-center gap-2">
          {isOff && (
            <Button size="sm" disabledReason={reason ?? busy} onClick={() => setAsking("accept")}>
              Accept as baseline
            </Button>
          )}
          <Button
            size="sm"
            pending={check.isPending}
            disabledReason={reason ?? busy}
            onClick={() => check.mutate({ params: { id: canary.id } })}
          >
            Check now
          </Button>
          <RowMenu
            id={watchId(provider.slug)}
            name={`the canary of ${provider.name}`}
            items={[
              {
                label: "Change",
                disabledReason: reason,
                onSelect: () => void navigate({ to: paths.canary(path, canary.model, provider.slug) }),
              },
              { label: "Measure a new baseline", disabledReason: reason, onSelect: () => setAsking("accept") },
              {
                label: "Change history",
                onSelect: () =>
                  void navigate({
                    to: paths.audit(path),
                    search: { target_type: "canary", target_id: canary.id },
                  }),
              },
              { kind: "line" },
              { label: "Stop watching", danger: true, disabledReason: reason, onSelect: () => setAsking("remove") },
            ]}
          />
        </div>
      </div>
      <p className="max-w-180 break-words text-fg-2" aria-live="polite">
        {canarySentence(canary, now)}
      </p>
      <History canary={canary} />
      <p className="text-12 text-fg-3">
        {intervalName(canary.every_hours)}
        {next}
        {canary.baseline && (
          <>
            . Baseline of <span className="mono break-all">{canary.baseline.space}</span>
            {canary.drift !== null && canary.drift.space !== canary.baseline.space && (
              <>
                , now <span className="mono break-all">{canary.drift.space}</span>
              </>
            )}
          </>
        )}
      </p>
      {asking === "accept" && (
        <ActionDialog
          endpoint={acceptCanaryBaseline}
          input={{ params: { id: canary.id } }}
          title={`Accept the vectors of ${provider.name} as they are now`}
          description={`The texts are embedded ${baselineCalls} times, and later checks are compared with that.${canary.drift === null ? "" : " The drift is no longer reported: what was embedded before stays as it is."}`}
          confirmLabel="Accept as baseline"
          onDone={() => setAsking(null)}
          onCancel={() => setAsking(null)}
        />
      )}
      {asking === "remove" && (
        <ActionDialog
          danger
          endpoint={deleteCanary}
          input={{ params: { id: canary.id } }}
          title={`Stop watching ${provider.name}`}
          description="Its baseline and its history are deleted."
          confirmLabel="Stop watching"
          onDone={() => {
            setAsking(null);
            toast({ message: `${canary.model} at ${provider.name} is no longer watched.` });
          }}
          onCancel={() => setAsking(null)}
          finalFocus={() => document.getElementById(watchId(provider.slug))}
        />
      )}
    </article>
  );
}

function History({ canary }: { canary: CanaryRecord }) {
  const runs = useQuery({
    ...query(listCanaryRuns, { params: { id: canary.id }, query: { limit: "100" } }),
    // A run may end between the reading of its history and that of the canary.
    refetchInterval: ({ state }) => readEveryMs(canary.running || state.data?.data[0]?.at !== canary.last_run?.at),
  });
  return (
    <QueryBoundary query={runs} what="the history" skeleton={<Skeleton height={height + 48} />}>
      {({ data }) =>
        data.length > 0 && (
          <Bars
            title="How far the vectors moved"
            sentence={historySentence(data)}
            bars={canaryBars(data)}
            format={formatDistance}
            parts={driftParts}
            tones={driftTones}
            unit="Check"
            height={height}
          />
        )
      }
    </QueryBoundary>
  );
}

const height = 96;
