import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { ReactNode } from "react";
import type { Output } from "#contract/endpoint.ts";
import { tryDestination } from "#contract/forwarding.ts";
import type { TryDestinationBody } from "#contract/forwarding.ts";
import { call } from "../../api/call.ts";
import { useNow } from "../../api/clock.ts";
import { useReachable } from "../../api/reachable.ts";
import { explain } from "../../api/explain.ts";
import { Button } from "../../ui/Button.tsx";
import { Status } from "../../ui/Status.tsx";
import { Time } from "../../ui/Time.tsx";
import type { Draft } from "./draft.ts";
import { tryBody } from "./try-body.ts";

type Tried = Output<typeof tryDestination>["data"][number];

interface TryRulesProps {
  draft: Draft;
  workspaceId: string | undefined;
  /** stands at the left of the button */
  children: ReactNode;
}

/** Runs the unsaved rules over the last calls, and says of each which rule stopped it. Patterns run on the gateway, in linear time. */
export function TryRules({ draft, workspaceId, children }: TryRulesProps) {
  const { reason } = useReachable();
  const now = useNow(15_000);
  const [of, setOf] = useState("");
  const run = useMutation({ mutationFn: (input: TryDestinationBody) => call(tryDestination, { body: input }) });
  const body = tryBody(draft, workspaceId);
  const stale = of !== JSON.stringify(body);
  const tried = stale ? undefined : run.data?.data;
  const passed = tried?.filter(({ fate }) => fate === "forwarded").length ?? 0;
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
          They were not tried. {explain(run.error).said ?? explain(run.error).title}
        </p>
      )}
      {tried && (
        <>
          <p role="status" className="text-12 text-fg-2">
            {tried.length === 0
              ? "There was no call yet."
              : `${passed} of the last ${tried.length} would be sent, ${tried.length - passed} would not.`}
          </p>
          {tried.length > 0 && (
            <div
              tabIndex={0}
              role="region"
              aria-label="The last calls, scrolls"
              className="max-h-64 overflow-y-auto border-y border-line"
            >
              <table className="w-full text-12" aria-label="What would become of the last calls">
                <thead className="sr-only">
                  <tr>
                    <th scope="col">Call</th>
                    <th scope="col">When</th>
                    <th scope="col">Model</th>
                    <th scope="col">Fate</th>
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
                        <Status kind={call.fate === "forwarded" ? "running" : "never"} word={fateText(call)} />
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

function fateText({ fate, rule }: Pick<Tried, "fate" | "rule">): string {
  if (fate === "forwarded") return "sent";
  if (fate === "sampled_out") return "sampled out";
  if (fate === "not_in_allowlist") return "another key";
  return rule === null ? "stopped by a rule" : `stopped by rule ${rule.rule + 1} of group ${rule.group + 1}`;
}
