import { useRef, useState } from "react";

/** A value that goes back to null `ms` after it was last set, such as the tick on a button. */
export function useTemporaryState<T>(ms: number): [value: T | null, set: (value: T | null) => void] {
  const [value, setValue] = useState<T | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  return [
    value,
    (next) => {
      clearTimeout(timer.current);
      setValue(next);
      if (next !== null) timer.current = setTimeout(() => setValue(null), ms);
    },
  ];
}
