import { useNavigate } from "@tanstack/react-router";
import { updateKey, type KeyRecord } from "#contract/keys.ts";
import { useAction } from "../../api/action.ts";
import { explain } from "../../api/error-messages.ts";
import { useReachable } from "../../api/connectivity.ts";
import { paths } from "../../paths.ts";
import { RowMenu } from "../../table/RowMenu.tsx";
import { copyText } from "../../ui/copy-text.ts";
import { toast } from "../../ui/toast.ts";

/** A question about one key, which the page asks in a dialog. */
export interface Asked {
  about: "disable" | "delete";
  key: KeyRecord;
}

interface KeyMenuProps {
  of: KeyRecord;
  workspace: string;
  onAsk: (asked: Asked) => void;
}

/** Everything that can be done with one key. There is no "reveal": there is nothing to reveal. */
export function KeyMenu({ of: key, workspace, onAsk }: KeyMenuProps) {
  const navigate = useNavigate();
  const { reason } = useReachable();
  const enable = useEnable(key);
  const go = (to: string) => () => void navigate({ to });
  return (
    <RowMenu
      name={key.name}
      items={[
        { label: "Open", shortcut: "↵", onSelect: go(paths.key(workspace, key.hash)) },
        { label: "Edit", shortcut: "E", disabledReason: reason, onSelect: go(paths.editKey(workspace, key.hash)) },
        { label: "Copy the hash", onSelect: () => void copyHash(key) },
        key.disabled
          ? { label: "Enable", disabledReason: reason, onSelect: enable }
          : { label: "Disable", disabledReason: reason, onSelect: () => onAsk({ about: "disable", key }) },
        {
          label: "Lost the key? Replace it",
          disabledReason: reason ?? replaceReason(key),
          onSelect: go(paths.replaceKey(workspace, key.hash)),
        },
        { kind: "line" },
        { label: "Delete", danger: true, disabledReason: reason, onSelect: () => onAsk({ about: "delete", key }) },
      ]}
    />
  );
}

/** Why a key cannot be replaced, as the gateway decides it; undefined where it can. */
export function replaceReason(key: KeyRecord): string | undefined {
  if (key.replaced_by !== null) return "It has already been replaced: replace its successor";
  if (key.status === "expired") return "It has expired: change its expiry first, or create a new key";
  return undefined;
}

/** Switches a key on again, with a way back. */
export function useEnable(key: KeyRecord): () => void {
  const change = useAction(updateKey, {
    onError: (error, { body }) =>
      void toast({
        message: body?.disabled === true ? `${key.name} is still enabled.` : `${key.name} could not be enabled.`,
        detail: explain(error).title,
        tone: "trouble",
      }),
  });
  const set = (disabled: boolean) => ({ params: { hash: key.hash }, body: { disabled } });
  return () =>
    change.mutate(set(false), {
      onSuccess: () =>
        toast({
          message: `${key.name} is enabled.`,
          action: { label: "Undo", onSelect: () => change.mutate(set(true)) },
        }),
    });
}

async function copyHash(key: KeyRecord): Promise<void> {
  const copied = await copyText(key.hash);
  toast(
    copied
      ? { message: "Hash copied." }
      : { message: "The browser refused to copy.", detail: "Open the key and select the hash there.", tone: "trouble" },
  );
}
