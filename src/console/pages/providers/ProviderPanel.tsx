import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { ProviderRecord } from "#contract/providers.ts";
import { ReadingPanel } from "../../shell/ReadingPanel.tsx";
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
export function ReadingProvider(props: ReadingProviderProps) {
  return <ReadingPanel {...props} noun="provider" onClose={useCloseToProvider()} />;
}
