import {
  type ManagementKeyRecord,
  deleteManagementKey,
  endManagementKeySessions,
  updateManagementKey,
} from "#contract/management-keys.ts";
import { useNow } from "../../api/clock.ts";
import { endSessionOfKey } from "../../api/session.ts";
import { ActionDialog } from "../../form/ActionDialog.tsx";
import { formatAgo } from "../../format.ts";
import { toast } from "../../ui/toast.ts";

/** A question about one management key, which the page asks in a dialog. */
export interface AskedOfManagementKey {
  about: "disable" | "delete" | "sign-out";
  key: ManagementKeyRecord;
}

/** Asks before a management key or its sessions end, with what ends. */
export function ManagementKeyQuestion({ asked, onClose }: { asked: AskedOfManagementKey; onClose: () => void }) {
  const { about, key } = asked;
  const Question = { disable: Disable, delete: Delete, "sign-out": SignOut }[about];
  return <Question asked={key} onClose={onClose} />;
}

interface QuestionProps {
  asked: ManagementKeyRecord;
  onClose: () => void;
}

function Disable({ asked: key, onClose }: QuestionProps) {
  const use = useLastUse(key);
  return (
    <ActionDialog
      endpoint={updateManagementKey}
      input={{ params: { hash: key.hash }, body: { disabled: true } }}
      title={`Disable ${key.name}`}
      description={`${use} ${whatEnds(key)} The key works again once it is enabled; the sessions stay signed out.`}
      confirmLabel="Disable key"
      onDone={() => {
        toast({ message: `${key.name} is disabled.` });
        if (key.current) endSessionOfKey();
        onClose();
      }}
      onCancel={onClose}
    />
  );
}

function Delete({ asked: key, onClose }: QuestionProps) {
  const use = useLastUse(key);
  return (
    <ActionDialog
      endpoint={deleteManagementKey}
      input={{ params: { hash: key.hash } }}
      danger
      title={`Delete ${key.name}`}
      description={`${use} ${whatEnds(key)} This cannot be undone.`}
      typedName={key.name}
      confirmLabel="Delete key"
      onDone={() => {
        toast({ message: `${key.name} was deleted.` });
        if (key.current) endSessionOfKey();
        onClose();
      }}
      onCancel={onClose}
    />
  );
}

function SignOut({ asked: key, onClose }: QuestionProps) {
  return (
    <ActionDialog
      endpoint={endManagementKeySessions}
      input={{ params: { hash: key.hash } }}
      title={key.current ? `Sign out the other sessions of ${key.name}` : `Sign out the sessions of ${key.name}`}
      description={`Anyone who has the key can sign in again${key.current ? ", and you stay signed in" : ""}. If it may have leaked, replace it instead.`}
      confirmLabel="Sign out"
      onDone={({ ended }) => {
        toast({ message: ended === 1 ? "1 session is signed out." : `${ended} sessions are signed out.` });
        onClose();
      }}
      onCancel={onClose}
    />
  );
}

function useLastUse({ last_used_at: at }: ManagementKeyRecord): string {
  const now = useNow(30_000);
  return at === null ? "It was never used." : `Last used ${formatAgo(new Date(at), "UTC", now)}.`;
}

function whatEnds({ current, sessions }: ManagementKeyRecord): string {
  const calls = "Programs that call with it get 401 at once";
  if (current) return `${calls}, and you are signed out: this session was opened with it.`;
  if (sessions === 0) return `${calls}.`;
  return `${calls}, and ${sessions === 1 ? "one session that is" : `${sessions} sessions that are`} signed in with it ${sessions === 1 ? "ends" : "end"}.`;
}
