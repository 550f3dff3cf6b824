import { ArrowDown, ArrowUp } from "lucide-react";
import { useEffect, useRef } from "react";
import { IconButton } from "../ui/IconButton.tsx";

export interface MoveButtonsProps {
  /** what is moved, by its name */
  name: string;
  /** counted from 0 */
  place: number;
  count: number;
  onMove: (by: -1 | 1) => void;
  disabledReason?: string | undefined;
}

/** Up and down, for a list whose order means something. The button that was pressed keeps the focus on its way. */
export function MoveButtons({ name, place, count, onMove, disabledReason }: MoveButtonsProps) {
  const pressed = useRef<HTMLButtonElement | null>(null);
  useEffect(() => {
    // moving a row in the document takes the focus off what is in it
    if (pressed.current && document.activeElement === document.body) pressed.current.focus();
    pressed.current = null;
  }, [place]);
  const reason = (edge: boolean, word: string) => disabledReason ?? (edge ? `it is already ${word}` : undefined);
  return (
    <span className="inline-flex items-center">
      <IconButton
        label={`Move ${name} up`}
        disabledReason={reason(place === 0, "first")}
        onClick={(event) => {
          pressed.current = event.currentTarget;
          onMove(-1);
        }}
      >
        <ArrowUp size={14} aria-hidden="true" />
      </IconButton>
      <IconButton
        label={`Move ${name} down`}
        disabledReason={reason(place === count - 1, "last")}
        onClick={(event) => {
          pressed.current = event.currentTarget;
          onMove(1);
        }}
      >
        <ArrowDown size={14} aria-hidden="true" />
      </IconButton>
    </span>
  );
}
