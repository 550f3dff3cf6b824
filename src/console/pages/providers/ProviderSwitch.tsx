import { type ProviderRecord, updateProvider } from "#contract/providers.ts";
import { useAction } from "../../api/action.ts";
import { errorText } from "../../api/error-messages.ts";
import { useReachable } from "../../api/connectivity.ts";
import { Switch, type SwitchProps } from "../../ui/Switch.tsx";
import { toast } from "../../ui/toast.ts";

/** Whether calls go to a provider. Shows what was chosen while that is being stored. */
export function ProviderSwitch({ provider, words }: { provider: ProviderRecord; words?: SwitchProps["words"] }) {
  const { reason } = useReachable();
  const update = useAction(updateProvider, {
    onSuccess: ({ data }) =>
      void toast({
        message: data.enabled ? `${data.name} takes calls again.` : `${data.name} no longer takes calls.`,
        action: { label: "Undo", onSelect: () => set(!data.enabled) },
      }),
    onError: (error) => {
      toast({ tone: "trouble", message: `${provider.name} was not changed. ${errorText(error)}` });
    },
  });
  const set = (enabled: boolean) => update.mutate({ params: { slug: provider.slug }, body: { enabled } });
  const wanted = update.isPending ? update.variables.body?.enabled : undefined;
  return (
    <Switch
      label={`${provider.name} takes calls`}
      hideLabel
      words={words}
      checked={wanted ?? provider.enabled}
      onChange={set}
      disabledReason={reason ?? (update.isPending && "Saving")}
    />
  );
}
