import { Checkbox } from "../../ui/Checkbox.tsx";
import { NativeSelect } from "../../ui/NativeSelect.tsx";
import type { Columns, Format, ParsedRows } from "../../vectors/parse-rows.ts";

const formats: Record<Format, string> = { lines: "lines", csv: "CSV", tsv: "TSV", jsonl: "JSON" };

interface ReadAsProps {
  parsed: ParsedRows;
  onRead: (format: Format, columns?: Columns) => void;
}

/** How what was pasted or dropped last is read: as lines or as a table, and which columns are taken. */
export function ReadAs({ parsed, onRead }: ReadAsProps) {
  const { format, columns, text, group, role, id, headed } = parsed;
  const own = { text, group, role, id, headed };
  const optional: [string, string][] = [["", "none"], ...columns.map((column): [string, string] => [column, column])];
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-8 py-1.5 text-12 max-md:px-4">
      <Choice
        label="Read as"
        value={format}
        options={Object.entries(formats)}
        onPick={(next) => onRead(next as Format)}
      />
      {columns.length > 0 && (
        <>
          <Choice
            label="Text"
            value={text}
            options={columns.map((column) => [column, column])}
            onPick={(next) => onRead(format, { ...own, text: next })}
          />
          <Choice
            label="Label"
            value={group}
            options={optional}
            onPick={(next) => onRead(format, { ...own, group: next })}
          />
          <Choice
            label="Role"
            value={role}
            options={optional}
            onPick={(next) => onRead(format, { ...own, role: next })}
          />
          <Choice label="Id" value={id} options={optional} onPick={(next) => onRead(format, { ...own, id: next })} />
        </>
      )}
      {(format === "csv" || format === "tsv") && (
        <Checkbox
          label="The first line names the columns"
          checked={headed}
          onChange={(event) => onRead(format, { headed: event.target.checked })}
        />
      )}
    </div>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  options: [value: string, words: string][];
  onPick: (value: string) => void;
}

function Choice({ label, value, options, onPick }: ChoiceProps) {
  return (
    <label className="inline-flex items-center gap-1.5">
      {label}
      <NativeSelect size="sm" value={value} onChange={(event) => onPick(event.target.value)}>
        {options.map(([option, words]) => (
          <option key={option} value={option}>
            {words}
          </option>
        ))}
      </NativeSelect>
    </label>
  );
}
