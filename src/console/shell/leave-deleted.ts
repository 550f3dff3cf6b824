import { useNavigate } from "@tanstack/react-router";
import { useEffect, useEffectEvent } from "react";
import { toast } from "../ui/toast.ts";

/** Goes to the list once `gone`: the record that a page showed was deleted elsewhere. */
export function useLeaveDeleted(gone: boolean, name: string | undefined, list: string): void {
  const navigate = useNavigate();
  const leave = useEffectEvent(() => {
    toast({ message: `${name ?? "It"} no longer exists.`, detail: "It was deleted elsewhere.", tone: "trouble" });
    void navigate({ to: list, replace: true });
  });
  useEffect(() => {
    if (gone) leave();
  }, [gone]);
}
