import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { ProviderRecord } from "#contract/providers.ts";
import { Failure } from "../../shell/Failure.tsx";
import { Panel } from "../../ui/Panel.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { useCloseToProvider, useProvider } from "./use-provider.ts";

interface ProviderPanelProps {
  /** while the provider is being read, or when that failed */
  title: string;
  children: (provider: ProviderRecord) => ReactNode;
}

/** A panel over a provider's page: its content once the provider is there. */
export function ProviderPanel({ title, children }: ProviderPanelProps) {
  const found = useProvider();
  if (found.data && !found.isPlaceholderData) return children(found.data.data);
  return <ReadingProvider title={title} found={found} />;
}

interface ReadingProviderProps {
  title: string;
  found: Pick<UseQueryResult, "error" | "isError" | "isFetching" | "refetch">;
}

/** The panel while its provider is being read, or when that failed. */
export function ReadingProvider({ title, found }: ReadingProviderProps) {
  const close = useCloseToProvider();
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
