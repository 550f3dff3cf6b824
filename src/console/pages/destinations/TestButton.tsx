import { useReachable } from "../../api/connectivity.ts";
import { Button } from "../../ui/Button.tsx";
import type { ConnectionTest } from "./use-connection-test.ts";

/** Tests the connection as the form has it now. */
export function TestButton({ test, size }: { test: ConnectionTest; size?: "sm" | "md" }) {
  const { reason } = useReachable();
  return (
    <Button size={size} pending={test.run.isPending} disabledReason={reason} onClick={test.start}>
      Test
    </Button>
  );
}
