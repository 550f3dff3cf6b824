import { useMutation } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import type { Output } from "#contract/endpoint.ts";
import { tryDestination, type TryDestinationBody } from "#contract/forwarding.ts";
import { call } from "../../api/call.ts";
import { useNow } from "../../api/clock.ts";
import { useReachable } from "../../api/connectivity.ts";
import { errorText } from "../../api/error-messages.ts";
import { Button } from "../../ui/Button.tsx";
import { Status } from "../../ui/Status.tsx";
import { Time } from "../../ui/Time.tsx";
import type { Draft } from "./draft.ts";
import { dryRunBody } from "./dry-run-body.ts";

type Tried = Output<typeof tryDestination>["data"][number];

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
  const body = dryRunBody(draft, workspaceId);
  const stale = of !== JSON.stringify(body);
  const tried = stale ? undefined : run.data?.data;
  const count = (wanted: Tried["fate"]) => tried?.filter(({ fate }) => fate === wanted).length ?? 0;
  const kept = count("forwarded");
  const passed = kept + count("sampled_out");
  const foreign = count("not_in_allowlist");
  return (
    <div className="grid min-w-0 gap-2">
      <div className="flex flex-wrap items-center gap-2">
        {children}
        <Button
          size="sm"
          variant="quiet"
          className="ml-auto"
          pending={run.isPending}
          disabledReason={reason ?? (body === null && "Complete the rules and the rate first")}
          onClick={() => {
            setOf(JSON.stringify(body));
            if (body) run.mutate(body);
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
        <>
          <p role="status" className="text-12 text-fg-2">
            {tried.length === 0
              ? "No calls yet."
              : `${passed} of the last ${tried.length} pass these rules${foreign > 0 ? `, ${foreign} are from other keys` : ""}${passed > kept ? `; sampling then keeps ${kept}` : ""}.`}
          </p>
          {tried.length > 0 && (
            <div
              tabIndex={0}
              role="region"
              aria-label="The last calls, scrolls"
              className="max-h-64 overflow-y-auto border-y border-line"
            >
              <table className="w-full text-12" aria-label="What would happen to the last calls">
                <thead className="sr-only">
                  <tr>
                    <th scope="col">Call</th>
                    <th scope="col">When</th>
                    <th scope="col">Model</th>
                    <th scope="col">Outcome</th>
                  </tr>
                </thead>
                <tbody>
                  {tried.map((call) => (
                    <tr key={call.generation_id} className="border-b border-line last:border-b-0">
                      <td className="mono max-w-28 truncate py-1 pr-3 text-fg-3">{call.generation_id}</td>
                      <td className="py-1 pr-3">
                        <Time iso={call.created_at} now={now} />
                      </td>
                      <td className="mono max-w-44 truncate py-1 pr-3">{call.model}</td>
                      <td className="py-1">
                        <Status
                          kind={call.fate === "forwarded" || call.fate === "sampled_out" ? "running" : "never"}
                          word={outcomeText(call)}
                        />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
        </>
      )}
    </div>
  );
}

function outcomeText({ fate, rule }: Pick<Tried, "fate" | "rule">): string {
  if (fate === "forwarded") return "passes";
  if (fate === "sampled_out") return "passes, sampled out";
  if (fate === "not_in_allowlist") return "another key";
  return rule === null ? "stopped by a rule" : `stopped by rule ${rule.rule + 1} of group ${rule.group + 1}`;
}
