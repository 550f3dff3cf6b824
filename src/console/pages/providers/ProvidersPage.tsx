import { useQuery } from "@tanstack/react-query";
import { Outlet, useNavigate } from "@tanstack/react-router";
import { useReachable } from "../../api/connectivity.ts";
import { everyProvider } from "../../api/providers.ts";
import { paths } from "../../paths.ts";
import { ButtonLink } from "../../shell/ButtonLink.tsx";
import { DetectedServers } from "../../shell/DetectedServers.tsx";
import { PageHeader } from "../../shell/PageHeader.tsx";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { useShortcut } from "../../shell/shortcuts.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/Region.tsx";
import { ProviderTable, ProviderTableSkeleton } from "./ProviderTable.tsx";

const healthEveryMs = 15_000;

/** Where model calls go: every provider with its health, in the order that an admin gave them. */
export function ProvidersPage() {
  const { path } = useWorkspace();
  const { reachable, reason } = useReachable();
  const navigate = useNavigate();
  const list = useQuery({ ...everyProvider, refetchInterval: healthEveryMs });
  useShortcut("c", "Add a provider", () => void navigate({ to: paths.newProvider(path) }), reachable);
  const add = (
    <ButtonLink to={paths.newProvider(path)} variant="primary" shortcut="C">
      Add provider
    </ButtonLink>
  );
  // the built-in provider always exists; if it is the only one, the gateway has not been set up yet
  const own = list.data?.data.filter(({ kind }) => kind !== "builtin");
  return (
    <>
      <PageHeader title="Providers" sub={list.data && `${list.data.data.length} total`} actions={add} />
      <p className="max-w-180 px-8 pt-2 pb-4 text-13 text-fg-2 max-md:px-4">
        Model calls go to these. Each call goes to a healthy provider of its model, cheaper ones more often, and falls
        back to the next when one fails.
      </p>
      <DetectedServers className="mx-8 mb-4 max-md:mx-4" />
      <QueryBoundary query={list} what="the providers" skeleton={<ProviderTableSkeleton />}>
        {({ data }) => (
          <>
            <ProviderTable providers={data} fresh={!list.isError} />
            {own?.length === 0 && (
              <div className="px-8 py-6 max-md:px-4">
                <EmptyState
                  title="Add a provider"
                  action={
                    <Button disabledReason={reason} onClick={() => void navigate({ to: paths.newProvider(path) })}>
                      Choose a vendor
                    </Button>
                  }
                >
                  Only the built-in model is here so far. Add a vendor or a model server of your own, and its models can
                  be called with the same keys.
                </EmptyState>
              </div>
            )}
          </>
        )}
      </QueryBoundary>
      <Outlet />
    </>
  );
}
