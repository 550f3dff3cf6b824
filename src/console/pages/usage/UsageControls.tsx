import type { ReportGroup } from "#contract/usage-report.ts";
import { NativeSelect } from "../../ui/NativeSelect.tsx";
import { groupLabels } from "./labels.ts";
import { periodLabels } from "./periods.ts";
import { type Period, periods, type UsageSearch } from "./search.ts";

const groups = Object.keys(groupLabels) as ReportGroup[];

interface UsageControlsProps {
  search: UsageSearch;
  onChange: (change: UsageSearch) => void;
}

/** Which period, and what its rows are by. */
export function UsageControls({ search, onChange }: UsageControlsProps) {
  const { period = "month", by = "key", and } = search;
  return (
    <div className="flex flex-wrap items-center gap-2 px-8 pt-3 max-md:px-4">
      <NativeSelect
        aria-label="Period"
        size="sm"
        value={period}
        onChange={({ target }) => onChange({ ...noDays, period: optional(target.value as Period, "month") })}
        className="w-36"
      >
        {periods.map((one) => (
          <option key={one} value={one}>
            {periodLabels[one]}
          </option>
        ))}
      </NativeSelect>
      <NativeSelect
        aria-label="Rows by"
        size="sm"
        value={by}
        onChange={({ target }) => {
          const chosen = target.value as ReportGroup;
          onChange({ by: optional(chosen, "key"), ...(and === chosen && { and: undefined }), ...bySum(search) });
        }}
        className="w-44"
      >
        {groups.map((one) => (
          <option key={one} value={one}>
            by {groupLabels[one].choice}
          </option>
        ))}
      </NativeSelect>
      <NativeSelect
        aria-label="Then by"
        size="sm"
        value={and ?? ""}
        onChange={({ target }) =>
          onChange({ and: target.value === "" ? undefined : (target.value as ReportGroup), ...bySum(search) })
        }
        className="w-52"
      >
        <option value="">and nothing else</option>
        {groups
          .filter((one) => one !== by)
          .map((one) => (
            <option key={one} value={one}>
              and by {groupLabels[one].choice}
            </option>
          ))}
      </NativeSelect>
    </div>
  );
}

const noDays = { from: undefined, to: undefined };

/** Rows by session and by app are compared with nothing, so they have no order by change. */
const bySum = ({ sort }: UsageSearch) => (sort === "change" ? { sort: undefined, order: undefined } : {});

/** The address leaves out what is so without it. */
const optional = <Value,>(value: Value, usual: Value) => (value === usual ? undefined : value);
