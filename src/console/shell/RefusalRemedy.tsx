import { Link } from "@tanstack/react-router";
import type { RefusedCalls } from "#contract/refused-calls.ts";
import { guardrailsPart, paths } from "../paths.ts";
import { linkTextClass } from "../ui/LinkText.tsx";
import { isByGuardrail } from "./refused-messages.ts";
import { useWorkspace } from "./workspace.ts";

interface RefusalRemedyProps {
  of: Pick<RefusedCalls, "key_hash" | "key_name" | "reason" | "last_message">;
  className?: string;
}

/** The way to what lets calls like this through; nothing where the caller has to change the call. */
export function RefusalRemedy({ of, className = linkTextClass }: RefusalRemedyProps) {
  const { path } = useWorkspace();
  const { key_hash: hash, key_name: name, reason } = of;
  if (name === null) return null;
  if (isByGuardrail(of)) {
    return (
      <Link to={paths.key(path, hash)} hash={guardrailsPart} className={className}>
        Show its guardrails
      </Link>
    );
  }
  const edit = edits[reason] ?? (reason.startsWith("key_requests_") || reason.startsWith("key_tokens_") ? rate : null);
  if (edit === null) return null;
  return (
    <Link to={edit.onPage ? paths.key(path, hash) : paths.editKey(path, hash)} className={className}>
      {edit.words}
    </Link>
  );
}

interface Edit {
  words: string;
  /** on the key's page, and not in its form */
  onPage?: true;
}

const rate: Edit = { words: "Raise rate" };
const edits: Readonly<Record<string, Edit>> = {
  key: { words: "Raise limit" },
  key_expired: { words: "Change expiry" },
  key_disabled: { words: "Enable the key", onPage: true },
};
