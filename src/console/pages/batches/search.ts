import { useSearch } from "@tanstack/react-router";
import { batchStatuses, type BatchStatus } from "#contract/batches.ts";

/** The list's filter in the address; one that is none is dropped. */
export interface BatchesSearch {
  status: BatchStatus | undefined;
}

export function useBatchesSearch(): BatchesSearch {
  const { status }: { status?: string } = useSearch({ strict: false });
  return { status: batchStatuses.find((one) => one === status) };
}
