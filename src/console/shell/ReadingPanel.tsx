import type { UseQueryResult } from "@tanstack/react-query";
import { Panel } from "../ui/Panel.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { Failure } from "./Failure.tsx";

interface ReadingPanelProps {
  title: string;
  /** what the panel is about */
  noun: string;
  found: Pick<UseQueryResult, "error" | "isError" | "isFetching" | "refetch">;
  onClose: () => void;
}

/** A panel while what it is about is being read, or when that failed. */
export function ReadingPanel({ title, noun, found, onClose }: ReadingPanelProps) {
  return (
    <Panel title={title} onDismiss={onClose} busy={!found.isError}>
      {found.isError ? (
        <Failure
          error={found.error}
          what={`The ${noun} did not load`}
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      ) : (
        [64, 64, 108].map((height, index) => <Skeleton key={index} height={height} />)
      )}
    </Panel>
  );
}
