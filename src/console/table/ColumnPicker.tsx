import { Columns3 } from "lucide-react";
import { Button } from "../ui/Button.tsx";
import { Menu, type MenuItem } from "../ui/Menu.tsx";

interface ColumnPickerProps {
  columns: readonly { id: string; head: string; fixed?: boolean }[];
  hidden: ReadonlySet<string>;
  onToggle: (column: string) => void;
}

/** Which columns a table shows; remembered on this machine. */
export function ColumnPicker({ columns, hidden, onToggle }: ColumnPickerProps) {
  return (
    <Menu
      trigger={
        <Button variant="quiet" icon={<Columns3 size={14} aria-hidden="true" />}>
          Columns
        </Button>
      }
      items={columnItems(columns, hidden, onToggle)}
    />
  );
}

/** The same as items of another menu. */
export function columnItems(
  columns: ColumnPickerProps["columns"],
  hidden: ReadonlySet<string>,
  onToggle: (column: string) => void,
): MenuItem[] {
  return columns
    .filter((column) => !column.fixed)
    .map((column) => ({
      kind: "check",
      label: column.head,
      checked: !hidden.has(column.id),
      keepOpen: true,
      onSelect: () => onToggle(column.id),
    }));
}
