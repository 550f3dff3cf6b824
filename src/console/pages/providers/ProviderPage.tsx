import { lazy, Suspense } from "react";
import { Link, Outlet, useChildMatches, useNavigate, useParams } from "@tanstack/react-router";
import type { ProviderRecord } from "#contract/providers.ts";
import { useReachable } from "../../api/connectivity.ts";
import { isNotFound } from "../../api/errors.ts";
import { paths } from "../../paths.ts";
import { ButtonLink } from "../../shell/ButtonLink.tsx";
import { useLeaveDeleted } from "../../shell/leave-deleted.ts";
import { PageHeader } from "../../shell/PageHeader.tsx";
import { inTrouble, providerStatus, troubleKind } from "../../shell/provider-status.ts";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { useShortcut } from "../../shell/shortcuts.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { cx } from "../../ui/cx.ts";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Status } from "../../ui/Status.tsx";
import { ByokKeys } from "./ByokKeys.tsx";
import { ProviderFacts } from "./ProviderFacts.tsx";
import { ProviderModels } from "./ProviderModels.tsx";
import { ProviderSwitch } from "./ProviderSwitch.tsx";
import { TestResult } from "./TestResult.tsx";
import { ProviderErrorsBody } from "./ProviderErrors.tsx";
import { useProvider } from "./use-provider.ts";
import { useTest } from "./use-test.ts";

const ProviderDay = lazy(async () => ({ default: (await import("./ProviderDay.tsx")).ProviderDay }));

/** One provider: how it does, what it offers, and whose keys are used for it. */
export function ProviderPage() {
  const { path } = useWorkspace();
  const found = useProvider();
  const provider = found.data?.data;
  const gone = isNotFound(found.error);
  // a form in a panel over it keeps what was typed
  const alone = useChildMatches().length === 0;
  useLeaveDeleted(gone && provider !== undefined && alone, provider?.name, paths.providers(path));
  if (gone && provider === undefined) return <NoSuchProvider />;
  return (
    <>
      <PageHeader
        title={provider?.name ?? "Provider"}
        sub={
          // a long name would push it away
          !found.isPending && (
            <span className="flex flex-wrap items-center gap-x-4">
              <Link to={paths.providers(path)} className={linkTextClass}>
                All providers
              </Link>
              {gone && <Status kind="off" word="Deleted" />}
            </span>
          )
        }
        actions={provider && !gone && <Actions provider={provider} />}
      />
      <QueryBoundary key={provider && "known"} query={found} what="the provider" skeleton={<PageSkeleton />}>
        {({ data }) => <Sections key={data.slug} provider={data} fresh={!found.isError} />}
      </QueryBoundary>
      <Outlet />
    </>
  );
}

function NoSuchProvider() {
  const { path } = useWorkspace();
  const { slug } = useParams({ strict: false });
  return (
    <>
      <PageHeader title="It no longer exists" />
      <p className="px-8 pt-3 text-fg-2 max-md:px-4">
        No provider has the slug <span className="mono">{slug}</span>. It was deleted, or the address is wrong.{" "}
        <Link to={paths.providers(path)} className={`${linkTextClass} underline`}>
          Show all providers
        </Link>
      </p>
    </>
  );
}

function Actions({ provider }: { provider: ProviderRecord }) {
  const navigate = useNavigate();
  const { path } = useWorkspace();
  const { reachable } = useReachable();
  const edit = paths.editProvider(path, provider.slug);
  useShortcut("e", "Edit the provider", () => void navigate({ to: edit }), reachable);
  return (
    <>
      <ProviderSwitch provider={provider} words={{ on: "Takes calls", off: "Takes no calls" }} />
      <ButtonLink to={edit}>Edit</ButtonLink>
    </>
  );
}

const section = "border-t border-line px-8 py-5 max-md:px-4";

function Sections({ provider, fresh }: { provider: ProviderRecord; fresh: boolean }) {
  const { path } = useWorkspace();
  const { reason } = useReachable();
  const test = useTest(provider.slug);
  const builtin = provider.kind === "builtin";
  return (
    <>
      <div className="grid gap-4 px-8 pt-3 pb-5 max-md:px-4">
        <div className="flex flex-wrap items-center gap-3">
          <Status {...providerStatus(provider, fresh)} />
          {!builtin && !inTrouble(provider) && (
            <Button size="sm" pending={test.isPending} disabledReason={reason} onClick={test.run}>
              Test
            </Button>
          )}
        </div>
        {fresh && inTrouble(provider) && (
          <div
            className={cx(
              "max-w-180 border-l-3 pl-4",
              troubleKind(provider.health.status) === "warning" ? "border-warn-fg" : "border-bad-fg",
            )}
          >
            <ProviderErrorsBody provider={provider} />
          </div>
        )}
        <TestResult name={provider.name} test={test} className="max-w-180" />
        <ProviderFacts provider={provider} fresh={fresh} />
      </div>
      <section aria-labelledby="provider-day" className={section}>
        <h2 id="provider-day" className="pb-2 text-15">
          Last 24 hours
        </h2>
        <div className="min-h-46 max-md:min-h-60">
          <Suspense>
            <ProviderDay slug={provider.slug} />
          </Suspense>
        </div>
      </section>
      <ProviderModels provider={provider} />
      {!builtin && (
        <>
          <ByokKeys provider={provider} />
          <section className={section}>
            <h2 className="pb-1 text-16 text-[15px]">Delete this provider</h2>
            <p className="max-w-160 pb-3 text-fg-2">
              Its key and models are deleted too. To stop calls for a while, switch it off instead.
            </p>
            <ButtonLink to={paths.deleteProvider(path, provider.slug)} variant="danger">
              Delete provider
            </ButtonLink>
          </section>
        </>
      )}
    </>
  );
}

function PageSkeleton() {
  return (
    <div className="grid gap-4 px-8 pt-4 max-md:px-4">
      <Skeleton width={96} height={16} />
      {[280, 340, 240, 300].map((width) => (
        <Skeleton key={width} width={width} height={12} />
      ))}
    </div>
  );
}
