import { useState } from "react";

const slot = (table: string) => `gatehouse.columns.${table}`;

const nothing: readonly string[] = [];

/** Which columns of a table a person has hidden on this machine; `first` are hidden until they choose. */
export function useHiddenColumns(
  table: string,
  first = nothing,
): [hidden: ReadonlySet<string>, toggle: (column: string) => void] {
  const [hidden, setHidden] = useState(() => read(table, first));
  return [
    hidden,
    (column) => {
      const next = new Set(hidden);
      if (!next.delete(column)) next.add(column);
      setHidden(next);
      try {
        localStorage.setItem(slot(table), JSON.stringify([...next]));
      } catch {
        // without storage the choice lasts as long as the page
      }
    },
  ];
}

function read(table: string, first: readonly string[]): ReadonlySet<string> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(slot(table)) ?? "null");
    return new Set(Array.isArray(stored) ? stored.filter((id) => typeof id === "string") : first);
  } catch {
    return new Set(first);
  }
}
