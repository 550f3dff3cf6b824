import { formatCount } from "../../format.ts";
import { Button } from "../../ui/Button.tsx";
import { LinkButton } from "../../ui/LinkText.tsx";
import { NativeSelect } from "../../ui/NativeSelect.tsx";
import { mostMatrixRows } from "../../vectors/matrix.ts";
import type { MatrixPart } from "./matrix-parts.ts";
import type { ViewProps } from "./view-props.ts";

interface PartsProps {
  /** rows of the run */
  all: number;
  parts: readonly MatrixPart[];
  onChoose: (id: string) => void;
}

/** In place of a matrix of too many rows: which of them it can be drawn of. */
export function ChoosePart({ all, parts, onChoose, set }: PartsProps & Pick<ViewProps, "set">) {
  const [sample, ...others] = parts;
  return (
    <div className="grid max-w-140 justify-items-start gap-3 px-(--pane-x) py-6">
      <h3 className="text-16">{formatCount(all)} rows are too many for one matrix</h3>
      <p className="text-fg-2">
        It has room for {formatCount(mostMatrixRows)}. Choose which of them to compare; the map shows all.
      </p>
      <div className="flex flex-wrap items-center gap-2">
        {sample && (
          <Button variant="primary" onClick={() => onChoose(sample.id)}>
            {sample.words}
          </Button>
        )}
        {others.length > 0 && <PartSelect parts={others} onChoose={onChoose} value="" />}
        <LinkButton onClick={() => set({ view: "map" })}>
          {others.some(({ id }) => id === "picked") ? "Pick others on the map" : "Pick rows on the map"}
        </LinkButton>
      </div>
    </div>
  );
}

/** Says which rows the matrix is of, and what that leaves out. */
export function PartOf({ all, part, parts, onChoose }: PartsProps & { part: MatrixPart }) {
  return (
    <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-12 text-fg-2">
      <PartSelect parts={parts} onChoose={onChoose} value={part.id} />
      of {formatCount(all)}; other pairs are not compared
    </span>
  );
}

function PartSelect({ parts, value, onChoose }: Omit<PartsProps, "all"> & { value: string }) {
  return (
    <NativeSelect
      aria-label="Rows of the matrix"
      value={value}
      onChange={(event) => onChoose(event.target.value)}
      className="max-w-60"
    >
      {value === "" && (
        <option value="" disabled>
          Choose rows
        </option>
      )}
      {parts.map(({ id, words }) => (
        <option key={id} value={id}>
          {words}
        </option>
      ))}
    </NativeSelect>
  );
}
