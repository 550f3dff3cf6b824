import { Segmented } from "./Segmented.tsx";

export type ChartView = "chart" | "table";

interface ChartOrTableProps {
  /** of the figures */
  title: string;
  view: ChartView;
  onChange: (view: ChartView) => void;
}

/** Shows the same figures as a chart or as a table. */
export function ChartOrTable({ title, view, onChange }: ChartOrTableProps) {
  return (
    <Segmented
      label={`${title} as`}
      size="sm"
      choices={[
        { value: "chart", label: "Chart" },
        { value: "table", label: "Table" },
      ]}
      value={view}
      onChange={onChange}
      className="shrink-0"
    />
  );
}
