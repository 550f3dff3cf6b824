import { useQuery } from "@tanstack/react-query";
import { listAudit } from "#contract/audit.ts";
import type { Output } from "#contract/endpoint.ts";
import { query } from "../../api/query.ts";
import { Button } from "../../ui/Button.tsx";
import type { AuditQuery } from "./filters.ts";

const lookEveryMs = 30_000;
const most = 100;

interface NewEntriesProps {
  filters: AuditQuery;
  /** the id of the first row that is shown; undefined: there is none */
  newest: string | undefined;
  onShow: () => void;
}

/** Says how many changes there are above the first row. They are put in on request, so that no row moves by itself. */
export function NewEntries({ filters, newest, onShow }: NewEntriesProps) {
  const { data } = useQuery({
    ...query(listAudit, { query: { ...filters, limit: String(most) } }),
    refetchInterval: lookEveryMs,
  });
  const at = data === undefined ? 0 : countAbove(data, newest);
  const count = at === -1 ? `More than ${most}` : String(at);
  return (
    <div role="status">
      {at !== 0 && (
        <div className="flex items-center gap-3 border-b border-line bg-accent-bg px-8 py-1.5 text-13 max-md:px-4">
          {count} new
          <Button size="sm" onClick={onShow}>
            Show
          </Button>
        </div>
      )}
    </div>
  );
}

/** How many records are above the first row; -1: more than were read. */
function countAbove({ data, next_cursor }: Output<typeof listAudit>, newest: string | undefined): number {
  if (newest === undefined && next_cursor === null) return data.length;
  return data.findIndex(({ id }) => id === newest);
}
