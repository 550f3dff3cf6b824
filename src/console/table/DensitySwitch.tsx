import { Rows3, Rows4 } from "lucide-react";
import { setPreference, usePreference } from "../preferences.ts";
import { Button } from "../ui/Button.tsx";

/** Rows of 40 or 32 px; remembered on this machine. The button says what it changes to. */
export function DensitySwitch() {
  const compact = usePreference("density") === "compact";
  const Icon = compact ? Rows3 : Rows4;
  return (
    <Button
      variant="quiet"

      icon={<Icon size={14} aria-hidden="true" />}
      onClick={() => setPreference("density", compact ? "regular" : "compact")}
    >
      {compact ? "Regular" : "Compact"}
    </Button>
  );
}
