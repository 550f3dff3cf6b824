import { Link } from "@tanstack/react-router";
import { RotateCw } from "lucide-react";
import type { DestinationRecord } from "#contract/destinations.ts";
import { deliveryFailure } from "#contract/delivery-failure.ts";
import { retryDestination, type DestinationHealth } from "#contract/forwarding.ts";
import { useAction } from "../../api/action.ts";
import { useNow } from "../../api/clock.ts";
import { errorText } from "../../api/error-messages.ts";
import { useReachable } from "../../api/connectivity.ts";
import { counted, formatBytes, formatClock, formatCount, formatRelative } from "../../format.ts";
import { paths } from "../../paths.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button, buttonClass } from "../../ui/Button.tsx";
import { cx } from "../../ui/cx.ts";
import { toast } from "../../ui/toast.ts";
import { takesAll } from "./health.ts";
import { TestAnswer } from "./TestAnswer.tsx";
import { useTest } from "./use-test.ts";

interface DeliveryErrorsProps {
  destination: DestinationRecord;
  health: DestinationHealth;
  /** the editor has a test of its own, for what is not saved yet */
  where?: "list" | "editor";
}

/** What a failing destination shows by itself: since when, what waits, what was asked and what came back. */
export function DeliveryErrors({ destination, health, where = "list" }: DeliveryErrorsProps) {
  const { path } = useWorkspace();
  const now = useNow(5_000);
  const { reason } = useReachable();
  const test = useTest();
  const retry = useAction(retryDestination, {
    onSuccess: () => void toast({ message: `${destination.name} is being retried now.` }),
  });
  const { last_error: error, next_try_at: next, attempt } = health;
  return (
    <div
      className={cx(
        "grid grid-cols-2 gap-x-10 gap-y-4 px-8 pt-0.5 pb-5.5 max-lg:grid-cols-1 max-md:px-4",
        where === "list" ? "pl-[78px]" : "mb-3 pt-3 shadow-[inset_3px_0_0_var(--bad-fg)]",
      )}
    >
      <div>
        <p className="font-semibold text-bad-fg">
          {health.config_problem ?? (error ? deliveryFailure(error) : "Nothing has been delivered for 15 minutes")}.
        </p>
        <p className="text-fg-2">{backlogSentence(destination, health, now)}</p>
        <p className="pt-0.5 text-12 text-fg-3">
          {next !== null && `Next try ${formatRelative(new Date(next), now)}`}
          {attempt > 0 && `${next === null ? "A" : ", a"}fter ${attempt} ${attempt === 1 ? "try" : "tries"}`}
        </p>
        <div className="flex flex-wrap gap-2 pt-3">
          <Button
            size="sm"
            icon={<RotateCw size={13} aria-hidden="true" />}
            pending={retry.isPending}
            disabledReason={reason}
            onClick={() => retry.mutate({ params: { id: destination.id } })}
          >
            Retry now
          </Button>
          {where === "list" && (
            <>
              <Button
                size="sm"
                pending={test.isPending}
                disabledReason={reason}
                onClick={() => test.run({ id: destination.id, type: destination.type, config: {} })}
              >
                Test
              </Button>
              <Link
                to={paths.destination(path, destination.id)}
                hash="connection"
                className={buttonClass({ variant: "quiet", size: "sm" })}
              >
                Check the connection
              </Link>
            </>
          )}
          {health.dead > 0 && (
            <Link
              to={paths.deadLetters(path, destination.id)}
              className={buttonClass({ variant: "quiet", size: "sm" })}
            >
              Dead letters ({formatCount(health.dead)})
            </Link>
          )}
        </div>
        {retry.isError && (
          <p role="alert" className="pt-2 text-12 text-bad-fg">
            The retry did not start. {errorText(retry.error)}
          </p>
        )}
        <TestAnswer test={test} name={destination.name} />
      </div>
      {error && <LastFailure name={destination.name} error={error} errors={health.top_errors} now={now} />}
    </div>
  );
}

/** "15 calls waiting since 16:42 UTC, 1 h ago. They are sent in order once it answers; bodies are kept for 24 h at most." */
function backlogSentence(destination: DestinationRecord, health: DestinationHealth, now: Date): string {
  const { backlog, failing_since: failing, config_problem: problem, bodies_kept_hours: hours } = health;
  if (backlog === 0) return "No calls are waiting.";
  const at = failing === null ? null : new Date(failing);
  const since = at === null ? "" : ` since ${formatClock(at, "UTC")} UTC, ${formatRelative(at, now)}`;
  const once = problem === null ? "it answers" : "you enter the settings again";
  const sent = `sent in order once ${once}; bodies are kept for ${hours} h at most.`;
  if (takesAll(destination)) return `${counted(backlog, "call")} waiting${since}. They are ${sent}`;
  const unchecked = counted(backlog, "call is", "calls are");
  return `${at === null ? "" : `Failing${since}. `}${unchecked} not checked yet: those that pass its keys, rules and sampling are ${sent}`;
}

interface LastFailureProps {
  name: string;
  error: NonNullable<DestinationHealth["last_error"]>;
  errors: DestinationHealth["top_errors"];
  now: Date;
}

/** What was sent last and what came back, and how often else something failed. */
function LastFailure({ name, error, errors, now }: LastFailureProps) {
  const others = errors.filter(({ message }) => message !== error.message);
  return (
    <div className="min-w-0">
      <pre
        tabIndex={0}
        role="region"
        aria-label={`${name}: the request that failed and the answer`}
        className="max-h-40 overflow-auto border-l border-bad-line pl-3.5 font-mono text-[12px]/[19px] whitespace-pre-wrap break-words"
      >
        {error.request && `${error.request.method} ${error.request.url}\n`}
        <span className="text-bad-fg">{error.status === null ? "No answer" : `HTTP ${error.status}`}</span>
        {error.request && (
          <span className="text-fg-3">
            {"  "}
            {error.request.events} {error.request.events === 1 ? "call" : "calls"}, {formatBytes(error.request.bytes)}
          </span>
        )}
        {error.body !== null && error.body !== "" && `\n${error.body}`}
      </pre>
      <p className="pt-2 pl-[15px] text-12 text-fg-3">{formatRelative(new Date(error.at), now)}</p>
      {others.length > 0 && (
        <ol aria-label="Other errors in the last 24 h" className="grid gap-0.5 pt-2 pl-[15px] text-12">
          {others.map(({ message, count, last_at }) => (
            <li key={message} className="flex gap-2">
              <span className="shrink-0 tabular-nums text-fg-2">{count.toLocaleString("en-US")} ×</span>
              <span className="min-w-0 grow break-words">{message}</span>
              <span className="shrink-0 text-fg-3">{formatRelative(new Date(last_at), now)}</span>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
