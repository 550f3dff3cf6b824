import type { UseQueryResult } from "@tanstack/react-query";
import { Failure } from "./Failure.tsx";

/** Above a page that offers models: their list did not load. */
export function ModelsFailure({ models }: { models: Pick<UseQueryResult, "error" | "refetch" | "isFetching"> }) {
  return (
    <div className="mt-3.5 px-8 max-md:px-4">
      <Failure
        error={models.error}
        what="The list of models did not load"
        onRetry={() => void models.refetch()}
        retrying={models.isFetching}
      />
    </div>
  );
}
