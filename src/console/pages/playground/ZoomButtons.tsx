import { Maximize, Minus, Plus } from "lucide-react";
import { IconButton } from "../../ui/IconButton.tsx";

interface ZoomButtonsProps {
  onEnlarge: (by: number) => void;
  onFit: () => void;
}

/** The map's zoom for those who have no wheel; on its canvas + − and 0 do the same. */
export function ZoomButtons({ onEnlarge, onFit }: ZoomButtonsProps) {
  return (
    <div
      role="group"
      aria-label="Zoom"
      className="absolute right-2 bottom-2 flex flex-col rounded-2 border border-line bg-bg-1"
    >
      <IconButton label="Zoom in" onClick={() => onEnlarge(1.5)}>
        <Plus size={14} aria-hidden="true" />
      </IconButton>
      <IconButton label="Zoom out" onClick={() => onEnlarge(1 / 1.5)}>
        <Minus size={14} aria-hidden="true" />
      </IconButton>
      <IconButton label="Fit the whole map" onClick={onFit}>
        <Maximize size={14} aria-hidden="true" />
      </IconButton>
    </div>
  );
}
