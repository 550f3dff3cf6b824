import { useMutation } from "@tanstack/react-query";
import { lazy, Suspense, useState, type ReactNode } from "react";
import { tryDestination, type TryDestinationBody } from "#contract/forwarding.ts";
import { call } from "../../api/call.ts";
import { useNow } from "../../api/clock.ts";
import { useReachable } from "../../api/connectivity.ts";
import { errorText } from "../../api/error-messages.ts";
import { capital } from "../../format.ts";
import { Button } from "../../ui/Button.tsx";
import type { Draft } from "./draft.ts";
import { dryRun } from "./dry-run.ts";

const TriedCalls = lazy(async () => ({ default: (await import("./TriedCalls.tsx")).TriedCalls }));

interface TryRulesProps {
  draft: Draft;
  workspaceId: string | undefined;
  /** to the left of the button */
  children: ReactNode;
}

/** Runs the unsaved rules over the last calls, and says of each which rule stopped it. Patterns run on the gateway, in linear time. */
export function TryRules({ draft, workspaceId, children }: TryRulesProps) {
  const { reason } = useReachable();
  const now = useNow(15_000);
  const [of, setOf] = useState("");
  const run = useMutation({ mutationFn: (input: TryDestinationBody) => call(tryDestination, { body: input }) });
  const { body, missing } = dryRun(draft, workspaceId);
  const stale = missing !== null || of !== JSON.stringify(body);
  const tried = stale ? undefined : run.data?.data;
  return (
    <div className="grid min-w-0 gap-2">
      <div className="flex flex-wrap items-center gap-2">
        {children}
        <Button
          size="sm"
          variant="quiet"
          className="ml-auto"
          pending={run.isPending}
          disabledReason={reason ?? (missing !== null && `${capital(missing)} first`)}
          onClick={() => {
            setOf(JSON.stringify(body));
            run.mutate(body);
          }}
        >
          Try on the last 200 events
        </Button>
      </div>
      {run.isError && !stale && (
        <p role="alert" className="text-12 text-bad-fg">
          The rules were not tried. {errorText(run.error)}
        </p>
      )}
      {tried && (
        <Suspense>
          <TriedCalls tried={tried} now={now} />
        </Suspense>
      )}
    </div>
  );
}
