import { useParams } from "@tanstack/react-router";
import { updateVideoWebhook } from "#contract/video-webhooks.ts";
import { useAction } from "../../api/action.ts";
import { FormPanel } from "../../form/FormPanel.tsx";
import { useEndpointForm } from "../../form/endpoint-form.ts";
import { paths } from "../../paths.ts";
import { useClosePanel } from "../../shell/close-panel.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Field } from "../../ui/Field.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { toast } from "../../ui/toast.ts";
import { useVideoWebhook } from "./use-video-webhook.ts";

/** Where the focus goes back to. */
export const videoAddressId = "video-address";

/** Sets the address that is told of a workspace's videos. The page behind it shows one that did not load. */
export function VideoWebhookPanel() {
  const { id = "" } = useParams({ strict: false });
  const { reference, name, webhook } = useVideoWebhook(id);
  if (webhook.data === undefined) return null;
  return <AddressForm key={reference} {...{ id, reference, name, url: webhook.data.data.url }} />;
}

interface AddressFormProps {
  /** as the page's address names the workspace */
  id: string;
  reference: string;
  name: string;
  url: string | null;
}

interface AddressValues {
  url: string;
}

function AddressForm({ id, reference, name, url }: AddressFormProps) {
  const closePanel = useClosePanel();
  const { path } = useWorkspace();
  const update = useAction(updateVideoWebhook);
  const close = () => closePanel(paths.videoWebhook(path, id));
  const state = useEndpointForm<typeof updateVideoWebhook, AddressValues>({
    endpoint: updateVideoWebhook,
    values: { url: url ?? "" },
    labels: { url: "Address" },
    input: (values) => ({
      params: { id: reference },
      body: { url: values.url.trim() === "" ? null : values.url.trim() },
    }),
    submit: async (input) => {
      const { data } = await update.mutateAsync(input);
      state.guard.open();
      toast({
        message:
          data.url === null
            ? `${name} no longer has an address of its own.`
            : `Video notifications of ${name} go to ${data.url}.`,
      });
      close();
    },
  });
  const { isDirty } = state.form.formState;
  const { error } = state.form.getFieldState("url", state.form.formState);
  return (
    <FormPanel
      form={state}
      title={`Address for the videos of ${name}`}
      submitLabel="Save changes"
      onClose={close}
      finalFocus={() => document.getElementById(videoAddressId)}
      disabledReason={isDirty ? undefined : "No changes yet."}
    >
      <Field
        label="Address"
        optional
        hint="It gets a POST when a video has ended, unless the call names a callback_url. Empty: nothing is sent."
        error={error?.message}
      >
        {(control) => (
          <TextInput
            {...control}
            {...state.form.register("url")}
            mono
            type="url"
            inputMode="url"
            spellCheck={false}
            placeholder="https://example.com/videos"
          />
        )}
      </Field>
    </FormPanel>
  );
}
