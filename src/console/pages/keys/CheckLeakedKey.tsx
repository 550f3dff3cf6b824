import { useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { getKey, identifyKeys, type KeyIdentity, type KeyRecord } from "#contract/keys.ts";
import { useNow } from "../../api/clock.ts";
import { explain } from "../../api/error-messages.ts";
import { query } from "../../api/query.ts";
import { everyWorkspace } from "../../api/workspaces.ts";
import { counted, formatAgo, formatDayTime } from "../../format.ts";
import { paths } from "../../paths.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Field } from "../../ui/Field.tsx";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { PasswordInput } from "../../ui/PasswordInput.tsx";
import { Status } from "../../ui/Status.tsx";
import { DisableKeyDialog } from "./DisableKeyDialog.tsx";
import { findLeakedKeys, type LeakedKeys } from "./leaked-keys.ts";
import { statusView } from "./status.ts";

/** Are there keys of ours in a text that turned up somewhere? They are hashed here; only the hashes are sent. */
export function CheckLeakedKeyDialog({ onClose }: { onClose: () => void }) {
  const [found, setFound] = useState<LeakedKeys | null>(null);
  const [disabling, setDisabling] = useState<KeyRecord | null>(null);
  if (disabling) return <DisableKeyDialog asked={disabling} onClose={() => setDisabling(null)} />;
  return (
    <Dialog
      title="Found a key?"
      description="Paste what you found: a log line, a file, a header, a hash, a masked key. Keys are hashed in this browser, and only their hashes are sent."
      onDismiss={onClose}
      onSubmit={(event) => {
        event.preventDefault();
        // read from the form and let go of at once: what may be a live key belongs in no state
        const field = event.currentTarget.elements.namedItem("found");
        if (!(field instanceof HTMLInputElement) || field.value.trim() === "") return;
        setFound(findLeakedKeys(field.value));
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
      <div className="grid grid-cols-1 gap-3 pt-3">
        <Field label="The text">
          {(control) => (
            <PasswordInput
              {...control}
              name="found"
              autoComplete="off"
              data-1p-ignore
              data-lpignore="true"
              data-bwignore
              onPaste={(event) => {
                // a field of one line would join the lines, and with them two keys
                event.preventDefault();
                const field = event.currentTarget;
                const text = event.clipboardData.getData("text/plain").replaceAll(/\s+/g, " ");
                field.setRangeText(text, field.selectionStart ?? 0, field.selectionEnd ?? 0, "end");
              }}
            />
          )}
        </Field>
        {found && <Answers found={found} onDisable={setDisabling} />}
      </div>
    </Dialog>
  );
}

interface AnswersProps {
  found: LeakedKeys;
  onDisable: (key: KeyRecord) => void;
}

function Answers({ found: { hashes, labels, broken, words, partly }, onDisable }: AnswersProps) {
  const asked = useQueries({
    queries: questionsOf(words).map((hash) => query(identifyKeys, { query: { hash } })),
  });
  const others = asked.flatMap(({ data }) => data?.data ?? []);
  const failed = asked.find(({ isError }) => isError);
  const none = hashes.length === 0 && labels.length === 0 && others.length === 0;
  const looking = asked.some(({ isPending }) => isPending);
  return (
    <>
      {hashes.map(({ hash, shown, ofItself }) => (
        <Answer
          key={hash}
          asked={{ hash: ofItself === undefined ? hash : `${hash},${ofItself}` }}
          shown={shown}
          onDisable={onDisable}
        />
      ))}
      {labels.map((label) => (
        <Answer key={label} asked={{ label }} shown={label.replace("...", "…")} onDisable={onDisable} />
      ))}
      {others.map((key) => (
        <Ours key={key.hash} found={key} onDisable={onDisable} />
      ))}
      {looking && none && <p role="status">Looking up this text</p>}
      {failed && <p role="alert">The words of this text could not be looked up. {explain(failed.error).title}.</p>}
      {!looking && !failed && (broken > 0 || none) && (
        <p role="status">
          <b className="font-semibold">{none ? "No key was found in this text." : "There is more in this text."}</b>{" "}
          {broken === 0
            ? `Nothing in it has the form sk-gh-v1-… or sk-gh-mgmt-v1-…${partly ? "." : ", and no word in it is a management key."}`
            : `${counted(broken, "text begins", "texts begin")} like a key but ${broken === 1 ? "is" : "are"} cut off or mistyped. Look for the whole key, or search the list for its first or last letters.`}
        </p>
      )}
      {partly && (
        <p role="status">
          The text is too long to look up every word that may be a management key. Paste less of it at once.
        </p>
      )}
    </>
  );
}

/** As many hashes as one question may have. */
const mostHashes = 50;

function questionsOf(words: readonly string[]): string[] {
  const firsts = words.map((_, at) => at).filter((at) => at % mostHashes === 0);
  return firsts.map((at) => words.slice(at, at + mostHashes).join(","));
}

interface AnswerProps {
  asked: { hash: string } | { label: string };
  shown: string;
  onDisable: (key: KeyRecord) => void;
}

/** Whose one of them is. A label may belong to several keys. */
function Answer({ asked, shown, onDisable }: AnswerProps) {
  const { data, error, isPending } = useQuery(query(identifyKeys, { query: asked }));
  if (isPending) return <p role="status">Looking up {shown}</p>;
  if (!data) {
    return (
      <p role="alert">
        {shown} could not be looked up. {explain(error).title}.
      </p>
    );
  }
  if (data.data.length === 0) {
    return (
      <p role="status" className="wrap-anywhere">
        <b className="font-semibold">No key of this gateway:</b> {shown}. No current or deleted key matches.
      </p>
    );
  }
  return data.data.map((key) => <Ours key={key.hash} found={key} onDisable={onDisable} />);
}

function Ours({ found, onDisable }: { found: KeyIdentity; onDisable: (key: KeyRecord) => void }) {
  const now = useNow(30_000);
  const workspace = useWorkspace();
  const used =
    found.last_used_at === null ? "Never used" : `Last used ${formatAgo(new Date(found.last_used_at), "UTC", now)}`;
  return (
    <div role="status" className="grid grid-cols-1 gap-1 border-l-3 border-bad-fg pl-3">
      {found.deleted_at !== null ? (
        <>
          <p className="wrap-anywhere">
            <b className="font-semibold">A deleted key:</b> <bdi>{found.name}</bdi>
          </p>
          <p className="text-12 text-fg-2">
            Deleted {formatDayTime(new Date(found.deleted_at), "UTC")} UTC; it no longer works. {used}.
          </p>
        </>
      ) : found.kind === "management" ? (
        <>
          <p className="wrap-anywhere">
            <b className="font-semibold">A management key:</b>{" "}
            <Link to={paths.managementKeys(workspace.path)} className={`${linkTextClass} underline`}>
              <bdi>{found.name}</bdi>
            </Link>
          </p>
          <p className="text-12 text-fg-2">
            {managementRisk(found, now)} {used}.
          </p>
        </>
      ) : (
        <Ordinary found={found} used={used} onDisable={onDisable} />
      )}
    </div>
  );
}

/** What somebody who has the key can do with it now. */
function managementRisk({ disabled, expires_at: end }: KeyIdentity, now: Date): string {
  if (end !== null && new Date(end) <= now)
    return `It ended ${formatDayTime(new Date(end), "UTC")} UTC; it no longer works.`;
  if (disabled) return "It is disabled.";
  return "Anyone who has it can do everything here. Replace it now.";
}

interface OrdinaryProps {
  found: KeyIdentity;
  used: string;
  onDisable: (key: KeyRecord) => void;
}

function Ordinary({ found, used, onDisable }: OrdinaryProps) {
  const workspace = useWorkspace();
  const now = useNow(30_000);
  const key = useQuery(query(getKey, { params: { hash: found.hash } })).data?.data;
  const status = key && statusView(key, now);
  const home = useQuery(everyWorkspace).data?.find(({ id }) => id === key?.workspace_id);
  return (
    <>
      <p className="wrap-anywhere">
        <b className="font-semibold">Ours:</b>{" "}
        <Link to={paths.key(workspace.path, found.hash)} className={`${linkTextClass} underline`}>
          <bdi>{found.name}</bdi>
        </Link>
        {key && (
          <span className="text-12 text-fg-2">
            {" "}
            <span className="font-mono">{key.label}</span>
            {home && ` in ${home.name}`}
          </span>
        )}
      </p>
      <p className="flex flex-wrap items-center gap-x-4 text-12 text-fg-2">
        {status && <Status kind={status.kind} word={status.note ? `${status.word}, ${status.note}` : status.word} />}
        {used}
      </p>
      {key && !key.disabled && (
        <div className="pt-1">
          <Button size="sm" variant="danger" onClick={() => onDisable(key)}>
            Disable it now
          </Button>
        </div>
      )}
    </>
  );
}
