import type { ApiEndpoint } from "#contract/api.ts";
import type { Input, Output } from "#contract/endpoint.ts";
import { useAction } from "../api/action.ts";
import { errorText } from "../api/error-messages.ts";
import { ConfirmDialog, type ConfirmDialogProps } from "../ui/ConfirmDialog.tsx";

interface ActionDialogProps<E extends ApiEndpoint> extends Omit<ConfirmDialogProps, "pending" | "error" | "onConfirm"> {
  endpoint: E;
  input: Input<E>;
  /** the change is made: says so, and leads away */
  onDone: (answer: Output<E>) => void | Promise<void>;
}

/** Asks before a change that is one call, makes it, and says why it failed. */
export function ActionDialog<E extends ApiEndpoint>({ endpoint, input, onDone, ...dialog }: ActionDialogProps<E>) {
  const action = useAction(endpoint, { onSuccess: onDone });
  return (
    <ConfirmDialog
      {...dialog}
      pending={action.isPending}
      error={action.isError ? errorText(action.error) : undefined}
      onConfirm={() => action.mutate(input)}
    />
  );
}
