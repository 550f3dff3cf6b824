import { deleteManagementKey, type ManagementKeyRecord } from "#contract/management-keys.ts";
import { useUnsaved } from "./UnsavedNotice.tsx";
import { UnsavedQuestion } from "./UnsavedQuestion.tsx";

/** After a reload that cut the reveal of a management key short. Said once, on the page of those keys. */
export function UnsavedManagementKey({ keys }: { keys: readonly ManagementKeyRecord[] }) {
  const [hash, forget] = useUnsaved("management-key");
  const key = keys.find((one) => one.hash === hash);
  return key ? <UnsavedQuestion of={key} remove={deleteManagementKey} onDone={forget} /> : null;
}
