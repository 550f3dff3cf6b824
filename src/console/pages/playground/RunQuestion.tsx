import { counted, formatUsd, formatUsdRough } from "../../format.ts";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import type { Estimate } from "./estimate.ts";
import { megabytes, mostRoom, type Room } from "./memory.ts";

interface RunQuestionProps {
  about: "room" | "cost";
  room: Room | null;
  estimate: Estimate;
  rows: number;
  /** in USD: what costs more is asked about */
  ceiling: number;
  /** in USD, of the key's limit; null: it has none */
  left: number | null;
  onRun: () => void;
  onCancel: () => void;
}

/** What is asked before a run: whether older ones may go for it, and whether it may cost that much. */
export function RunQuestion({ about, room, estimate, rows, ceiling, left, onRun, onCancel }: RunQuestionProps) {
  const { tokens, images, cost, atLeast } = estimate;
  if (about === "room") {
    if (room === null) return null;
    return (
      <ConfirmDialog
        title="The memory is full"
        description={`This run’s vectors take ${megabytes(room.needed)}, and ${megabytes(room.free)} of ${mostRoom} are free. ${room.letGo?.map(({ id }) => `Run ${id}`).join(" and ")} will be discarded. Export ${room.letGo?.length === 1 ? "it" : "them"} first if you need ${room.letGo?.length === 1 ? "it" : "them"}.`}
        confirmLabel="Discard and run"
        onConfirm={onRun}
        onCancel={onCancel}
      />
    );
  }
  return (
    <ConfirmDialog
      title={
        atLeast
          ? `This run may cost more than ${formatUsd(Math.max(ceiling, cost ?? 0))}`
          : `This run costs about ${formatUsdRough(cost ?? 0)}`
      }
      description={`${counted(rows, "row")} with about ${counted(tokens, "token")}${images > 0 ? ` of text and ${counted(images, "image")}, whose tokens the model counts` : ""}. You asked to confirm runs above ${formatUsd(ceiling)}.${left !== null && left < (cost ?? 0) ? ` The playground’s key has only ${formatUsd(left)} left, so calls beyond that are refused.` : ""}`}
      confirmLabel="Run"
      onConfirm={onRun}
      onCancel={onCancel}
    />
  );
}
