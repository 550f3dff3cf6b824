import { Outlet } from "@tanstack/react-router";
import { TooltipLayer } from "../ui/Tooltip.tsx";
import { ToastRegion } from "../ui/ToastRegion.tsx";

/** What every page stands on, signed in or not. */
export function Root() {
  return (
    <>
      <Outlet />
      <ToastRegion />
      <TooltipLayer />
    </>
  );
}
