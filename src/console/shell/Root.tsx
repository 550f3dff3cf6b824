import { Outlet } from "@tanstack/react-router";
import { TooltipLayer } from "../ui/Tooltip.tsx";
import { ToastRegion } from "../ui/ToastRegion.tsx";

/** The root of every page, signed in or not. */
export function Root() {
  return (
    <>
      <Outlet />
      <ToastRegion />
      <TooltipLayer />
    </>
  );
}
