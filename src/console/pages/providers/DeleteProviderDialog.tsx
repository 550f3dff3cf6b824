import { useNavigate } from "@tanstack/react-router";
import { type ProviderRecord, deleteProvider } from "#contract/providers.ts";
import { everyProvider } from "../../api/providers.ts";
import { ActionDialog } from "../../form/ActionDialog.tsx";
import { paths } from "../../paths.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { toast } from "../../ui/toast.ts";
import { useQuery } from "@tanstack/react-query";
import { onlyHere } from "./only-here.ts";
import { useCloseToProvider, useProvider } from "./use-provider.ts";

/** Asks before a provider is deleted: lists the models that would lose their last provider, and requires its name. */
export function DeleteProviderDialog() {
  const { data } = useProvider();
  const close = useCloseToProvider();
  if (data === undefined) return null;
  if (data.data.kind === "builtin") {
    return (
      <Dialog
        title={`${data.data.name} can't be deleted`}
        description="The built-in provider is part of the program. Switch it off instead."
        onDismiss={close}
        footer={<Button onClick={close}>Close</Button>}
      />
    );
  }
  return <Confirm provider={data.data} onCancel={close} />;
}

function Confirm({ provider, onCancel }: { provider: ProviderRecord; onCancel: () => void }) {
  const navigate = useNavigate();
  const { path } = useWorkspace();
  const others = useQuery(everyProvider).data?.data;
  const lost = others && onlyHere(provider, others);
  return (
    <ActionDialog
      endpoint={deleteProvider}
      input={{ params: { slug: provider.slug } }}
      danger
      title={`Delete ${provider.name}`}
      description="Its key and models are deleted too, and workspaces' own keys for it are no longer used. What it served stays on the ledger. This cannot be undone."
      typedName={provider.name}
      confirmLabel="Delete provider"
      onDone={async () => {
        toast({ message: `${provider.name} was deleted.` });
        await navigate({ to: paths.providers(path), replace: true });
      }}
      onCancel={onCancel}
    >
      {lost && lost.length > 0 && (
        <p className="text-12 text-warn-fg">
          No other provider serves {lost.slice(0, 3).join(", ")}
          {lost.length > 3 && ` and ${lost.length - 3} more`}: calls to {lost.length === 1 ? "it" : "them"} will be
          refused.
        </p>
      )}
    </ActionDialog>
  );
}
