import { RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "./Button.tsx";
import { CopyButton } from "./CopyButton.tsx";

export interface ErrorStateProps {
  /** What failed: "The key list did not load". */
  title: ReactNode;
  /** What it means, such as "The gateway had a problem. Nothing was changed." */
  children?: ReactNode;
  /** The server's own words, shown in quotes and unchanged. */
  message?: string | undefined;
  /** The HTTP status, if there was an answer. */
  status?: number | undefined;
  /** The error's name in the contract. */
  code?: string | undefined;
  requestId?: string | undefined;
  onRetry?: (() => void) | undefined;
  retrying?: boolean | undefined;
  /** Instead of, or next to, Retry. */
  action?: ReactNode;
}

/** A region that failed: a bar, what happened, the answer, and one thing to do. Focus stays where it was. */
export function ErrorState({
  title,
  children,
  message,
  status,
  code,
  requestId,
  onRetry,
  retrying,
  action,
}: ErrorStateProps) {
  const facts = [status === undefined ? undefined : `HTTP ${status}`, code].filter((fact) => fact !== undefined);
  return (
    <div role="alert" className="max-w-160 border-l-3 border-bad-fg pl-4">
      <h2 className="text-16">{title}</h2>
      {children && <div className="pt-1">{children}</div>}
      {message && <p className="pt-1 text-fg-3 break-words">“{message}”</p>}
      {(facts.length > 0 || requestId) && (
        <p className="flex flex-wrap items-center gap-x-1.5 pt-2 text-12 text-fg-3">
          {facts.join(" · ")}
          {facts.length > 0 && requestId && " ·"}
          {requestId && (
            <>
              <span className="mono">{requestId}</span>
              <CopyButton text={requestId} label="Copy the request id" className="-my-1.5" />
            </>
          )}
        </p>
      )}
      {(onRetry ?? action) && (
        <div className="flex flex-wrap gap-2 pt-3.5">
          {onRetry && (
            <Button icon={<RotateCw size={14} aria-hidden="true" />} pending={retrying} onClick={onRetry}>
              Retry
            </Button>
          )}
          {action}
        </div>
      )}
    </div>
  );
}
