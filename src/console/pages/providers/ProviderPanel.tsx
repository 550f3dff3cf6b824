import type { ReactNode } from "react";
import type { ProviderRecord } from "#contract/providers.ts";
import { isNotFound } from "../../api/errors.ts";
import { Failure } from "../../shell/Failure.tsx";
import { Panel } from "../../ui/Panel.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { useCloseToProvider, useProvider } from "./use-provider.ts";

interface ProviderPanelProps {
  /** while the provider is being read, or when that failed */
  title: string;
  children: (provider: ProviderRecord, deleted: boolean) => ReactNode;
}

/** A panel over a provider's page: its content once the provider is there. */
export function ProviderPanel({ title, children }: ProviderPanelProps) {
  const found = useProvider();
  const close = useCloseToProvider();
  if (found.data && !found.isPlaceholderData) return children(found.data.data, isNotFound(found.error));
  return (
    <Panel title={title} onDismiss={close} busy={!found.isError}>
      {found.isError ? (
        <Failure
          error={found.error}
          what="The provider did not load"
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      ) : (
        [64, 64, 64, 108].map((height, index) => <Skeleton key={index} height={height} />)
      )}
    </Panel>
  );
}
