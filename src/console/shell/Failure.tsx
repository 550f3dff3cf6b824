import { ApiError } from "../api/errors.ts";
import { useExplanation } from "../api/use-explanation.ts";
import { ErrorState } from "../ui/ErrorState.tsx";
import { ForbiddenState } from "../ui/Region.tsx";

interface FailureProps {
  error: unknown;
  /** what did not work, as a title: "The key list did not load" */
  what: string;
  onRetry: () => void;
  retrying?: boolean;
}

/** A failed read, in the place of what it would have shown. */
export function Failure({ error, what, onRetry, retrying }: FailureProps) {
  const { title, advice, said, status, requestId, retry } = useExplanation(error);
  if (error instanceof ApiError && error.status === 403) {
    return <ForbiddenState title={title}>{said ?? advice}</ForbiddenState>;
  }
  return (
    <ErrorState
      title={what}
      message={said}
      status={status}
      requestId={requestId}
      onRetry={retry ? onRetry : undefined}
      retrying={retrying}
    >
      {title}. <span aria-live="off">{advice}</span>
    </ErrorState>
  );
}
