import { pointOf } from "../../vectors/plane.ts";
import type { ExportRow } from "../../vectors/protocol.ts";
import type { Run } from "./playground.ts";
import type { MapFacts } from "./use-playground.ts";

/**
 * A run's rows as files have them: with the further columns of their table and, as far as the map was looked at, their
 * place on it and their group.
 */
export function exportRows({ shown }: Pick<Run, "shown">, facts: MapFacts | undefined): ExportRow[] {
  const { points, clusters } = facts ?? {};
  const placeOf = new Map(Array.from(points?.rows ?? [], (row, at) => [row, at]));
  return shown.map(({ text, group, role, number, fields = {} }, row) => {
    const at = placeOf.get(row);
    const [x, y] = points && at !== undefined ? pointOf(points.points, at) : [];
    const own = clusters?.of[row];
    const isGrouped = clusters && own !== undefined && own < clusters.sizes.length;
    return {
      number,
      text,
      group,
      role,
      fields: {
        ...fields,
        ...(points && { map_x: x ?? "", map_y: y ?? "" }),
        ...(clusters && {
          cluster: isGrouped ? own + 1 : "",
          cluster_words: isGrouped ? (clusters.names[own]?.slice(0, 3).join(" ") ?? "") : "",
        }),
      },
    };
  });
}

/** A file's name: of which model and run it is, and that it has the picked rows alone. */
export function exportName({ model, id, example }: Pick<Run, "model" | "id" | "example">, part = ""): string {
  const safe = model.replaceAll(/[^\w.-]+/g, "-");
  return `embeddings_${safe}_${example ? "example" : `run-${id}`}${part}`;
}
