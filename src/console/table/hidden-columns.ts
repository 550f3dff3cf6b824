import { useState } from "react";

const slot = (table: string) => `gatehouse.columns.${table}`;

/** Which columns of a table a person has hidden on this machine. */
export function useHiddenColumns(table: string): [hidden: ReadonlySet<string>, toggle: (column: string) => void] {
  const [hidden, setHidden] = useState(() => read(table));
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

function read(table: string): ReadonlySet<string> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(slot(table)) ?? "[]");
    return new Set(Array.isArray(stored) ? stored.filter((id) => typeof id === "string") : []);
  } catch {
    return new Set();
  }
}
