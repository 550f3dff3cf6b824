import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { getUsage, type UsageSeries } from "#contract/activity.ts";
import { minuteMs } from "#contract/time.ts";
import { query } from "../../api/query.ts";
import { Field } from "../../ui/Field.tsx";
import { NativeSelect } from "../../ui/NativeSelect.tsx";
import { addPoints, readDays, simulateNewLimit, simulationSentence, type SimulatedLimit } from "./limit-simulation.ts";
import { LimitPicture } from "./LimitSimulation.tsx";

interface NewLimitSimulationProps {
  workspaceId: string;
  workspace: string;
  /** null while no amount can be read */
  limit: SimulatedLimit | null;
  /** the hash of the key most like the new one, whose calls it is tried on unless another one is chosen */
  similar: string | null;
}

const everyKey = "all";

/**
 * What a limit would have done to a key that does not exist yet, had it made the calls of the last 30 days: those of the
 * key most like it, of another one, or of all keys in its workspace. Nothing is tried where none is like it.
 */
export function NewLimitSimulation({ workspaceId, workspace, limit, similar }: NewLimitSimulationProps) {
  const [chosen, choose] = useState<string | null>(null);
  const { data } = useQuery({
    ...query(getUsage, { query: { workspace_id: workspaceId, by: "day", last: String(readDays), group_by: "key" } }),
    staleTime: minuteMs,
  });
  if (!data || limit === null) return null;
  const keys = data.data.filter(({ group, name }) => group !== null && name !== null);
  const one = keys.find(({ group }) => group === (chosen ?? similar));
  const isTried = one !== undefined || chosen === everyKey;
  const days = simulateNewLimit(addPoints((one ? [one] : data.data).map(({ points }) => points)), limit);
  const of = one?.name ?? `all keys in ${workspace}`;
  return (
    <div className="grid gap-2">
      {isTried && <LimitPicture days={days} limit={limit} sentence={simulationSentence(days, limit, of)} />}
      {keys.some(costs) && (
        <Field label="Tried on the calls of">
          {(control) => (
            <NativeSelect
              {...control}
              size="sm"
              value={isTried ? (one?.group ?? everyKey) : ""}
              onChange={(event) => choose(event.target.value)}
            >
              {!isTried && <option value="">Choose a key</option>}
              <option value={everyKey}>All keys in {workspace}</option>
              {keys.filter(costs).map(({ group, name }) => (
                <option key={group} value={group ?? ""}>
                  {name}
                </option>
              ))}
            </NativeSelect>
          )}
        </Field>
      )}
    </div>
  );
}

const costs = ({ total }: UsageSeries) => total.usage + total.byok_usage > 0;
