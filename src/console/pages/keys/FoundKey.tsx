import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { getKey } from "#contract/keys.ts";
import type { KeyRecord } from "#contract/keys.ts";
import { useNow } from "../../api/clock.ts";
import { ApiError } from "../../api/errors.ts";
import { explain } from "../../api/explain.ts";
import { query } from "../../api/query.ts";
import { formatAgo } from "../../format.ts";
import { paths } from "../../paths.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Field } from "../../ui/Field.tsx";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { PasswordInput } from "../../ui/PasswordInput.tsx";
import { Status } from "../../ui/Status.tsx";
import { DisableKeyDialog } from "./DisableKeyDialog.tsx";
import { sha256Hex } from "./sha256.ts";
import { statusView } from "./status.ts";

/** Is a string that turned up in a log a key of ours? It is hashed here; only the hash is sent. */
export function FoundKey() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="quiet" className="max-md:hidden" onClick={() => setOpen(true)}>
        Found a key?
      </Button>
      {open && <Check onClose={() => setOpen(false)} />}
    </>
  );
}

function Check({ onClose }: { onClose: () => void }) {
  const [hash, setHash] = useState<string | null>(null);
  const [disabling, setDisabling] = useState<KeyRecord | null>(null);
  if (disabling) return <DisableKeyDialog asked={disabling} onClose={() => setDisabling(null)} />;
  return (
    <Dialog
      title="Found a key?"
      description="Paste a string from a log or a repository. It is hashed in this browser, and only the hash is sent."
      onDismiss={onClose}
      onSubmit={(event) => {
        event.preventDefault();
        // read from the form and let go of at once: what may be a live key belongs in no state
        const field = event.currentTarget.elements.namedItem("found");
        if (!(field instanceof HTMLInputElement) || field.value.trim() === "") return;
        setHash(sha256Hex(field.value.trim()));
        field.value = "";
      }}
      footer={
        <>
          <Button type="submit" variant="primary">
            Check
          </Button>
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      <div className="grid gap-3 pt-3">
        <Field label="The string">
          {(control) => (
            <PasswordInput
              {...control}
              name="found"
              autoComplete="off"
              data-1p-ignore
              data-lpignore="true"
              data-bwignore
            />
          )}
        </Field>
        {hash !== null && <Answer key={hash} hash={hash} onDisable={setDisabling} />}
      </div>
    </Dialog>
  );
}

function Answer({ hash, onDisable }: { hash: string; onDisable: (key: KeyRecord) => void }) {
  const workspace = useWorkspace();
  const now = useNow(30_000);
  const { data, error, isPending } = useQuery(query(getKey, { params: { hash } }));
  if (isPending) return <p role="status">Asking about {hash.slice(0, 12)}…</p>;
  if (error instanceof ApiError && error.status === 404) {
    return (
      <p role="status">
        <b className="font-semibold">Not ours.</b> No key of this gateway has the hash {hash.slice(0, 12)}…; a deleted
        one would not be found either.
      </p>
    );
  }
  if (!data) return <p role="alert">{explain(error).title}</p>;
  const key = data.data;
  const { kind, word } = statusView(key, now);
  return (
    <div role="status" className="grid gap-1 border-l-3 border-bad-fg pl-3">
      <p>
        <b className="font-semibold">Ours:</b>{" "}
        <Link to={paths.key(workspace.path, key.hash)} className={`${linkTextClass} underline`}>
          {key.name}
        </Link>
      </p>
      <p className="flex flex-wrap items-center gap-x-4 text-12 text-fg-2">
        <Status kind={kind} word={word} />
        {key.last_used_at === null ? "Never used" : `Last used ${formatAgo(new Date(key.last_used_at), "UTC", now)}`}
      </p>
      {!key.disabled && (
        <div className="pt-1">
          <Button size="sm" variant="danger" onClick={() => onDisable(key)}>
            Disable it now
          </Button>
        </div>
      )}
    </div>
  );
}
