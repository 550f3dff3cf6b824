import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { DestinationType } from "#contract/destination-kinds.ts";
import { configMembers } from "#contract/destination-kinds.ts";
import { createDestination, updateDestination } from "#contract/destinations.ts";
import type { DestinationRecord } from "#contract/destinations.ts";
import type { FieldIssue } from "#contract/errors.ts";
import { refreshAfter } from "../../api/action.ts";
import { callTagged } from "../../api/call.ts";
import { ApiError } from "../../api/errors.ts";
import { createBody, draftOf, isHeaders, newDraft, updateBody } from "./draft.ts";
import type { Draft } from "./draft.ts";
import { goTo } from "./editor.ts";
import type { Editing } from "./editor.ts";
import { merge } from "./merge.ts";
import type { Overlap } from "./merge.ts";
import { draftProblems, headerPath } from "./problems.ts";
import { destinationQuery } from "./use-destination.ts";
import type { Versioned } from "./use-destination.ts";

/** Somebody else saved while this form was edited. */
export interface Conflict {
  /** the paths that they changed */
  theirs: readonly string[];
  overlaps: readonly Overlap[];
}

export interface Editor extends Editing {
  dirty: boolean;
  saving: boolean;
  /** a refusal that belongs to no field */
  failure: unknown;
  conflict: Conflict | null;
  dismissConflict: () => void;
  setDraft: (draft: Draft) => void;
  discard: () => void;
  /** false where something is wrong; the focus is then on it */
  check: () => boolean;
  /** resolves to what is stored then; null where it was refused */
  save: () => Promise<DestinationRecord | null>;
}

interface Start {
  type: DestinationType;
  /** null for a new destination */
  stored: Versioned | null;
  /** what the gateway has now; undefined until it is known again */
  latest: Versioned | undefined;
  workspaceId: string | undefined;
}

/** The state of the editor: a draft over the record it began with, moved onto newer versions as they appear. */
export function useEditor({ type, stored, latest, workspaceId }: Start): Editor {
  const client = useQueryClient();
  const [began, setBegan] = useState(stored);
  const [fresh] = useState(() => newDraft(type));
  const [draft, setDraft] = useState(() => (stored ? draftOf(stored.record) : fresh));
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [tried, setTried] = useState(false);
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({});
  const [saving, setSaving] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const sending = useRef(false);

  const base = began?.record ?? null;
  const dirty = base
    ? Object.keys(updateBody(base, draft)).length > 0
    : JSON.stringify(draft) !== JSON.stringify(fresh);
  const problems = { ...draftProblems(type, draft, base), ...refused };

  // a newer version is taken over while rendering, so that no frame shows the draft over a record that is gone
  if (began && latest && !saving && versionOf(latest) > versionOf(began)) moveTo(latest);

  function moveTo(newer: Versioned): void {
    if (!began) return;
    const merged = merge(draft, began.record, newer.record);
    setBegan(newer);
    setDraft(merged.draft);
    if (dirty && merged.theirs.length > 0) setConflict({ theirs: merged.theirs, overlaps: merged.overlaps });
  }

  function change(next: Draft, path: string): void {
    setDraft(next);
    setFailure(null);
    setRefused((before) =>
      Object.fromEntries(Object.entries(before).filter(([one]) => !one.startsWith(path) && !path.startsWith(one))),
    );
  }

  function check(): boolean {
    setTried(true);
    const first = Object.keys(problems)[0];
    if (first === undefined) return true;
    goTo(first);
    return false;
  }

  async function save(): Promise<DestinationRecord | null> {
    if (sending.current) return null;
    sending.current = true;
    setSaving(true);
    setFailure(null);
    try {
      const { answer, etag } = await send();
      const saved = { record: answer.data, etag };
      setBegan(saved);
      // what was typed as a secret is gone with the draft
      setDraft(draftOf(answer.data));
      setConflict(null);
      setTried(false);
      setTouched(new Set());
      client.setQueryData(destinationQuery(answer.data.id).queryKey, saved);
      void refreshAfter(client, base ? updateDestination : createDestination);
      return answer.data;
    } catch (error) {
      await place(error);
      return null;
    } finally {
      sending.current = false;
      setSaving(false);
    }
  }

  function send() {
    if (!base) return callTagged(createDestination, { body: createBody(type, draft, workspaceId) });
    const headers: Record<string, string> = began?.etag ? { "if-match": began.etag } : {};
    return callTagged(updateDestination, { params: { id: base.id }, body: updateBody(base, draft) }, { headers });
  }

  async function place(error: unknown): Promise<void> {
    if (error instanceof ApiError && error.status === 409 && base) {
      setFailure(error);
      // the newer version comes in like any other, and is laid beside the draft
      await client.refetchQueries({ queryKey: destinationQuery(base.id).queryKey });
      return;
    }
    const issues = error instanceof ApiError ? error.issues : [];
    const placed = Object.fromEntries(issues.map((issue) => [pathOf(issue, draft), wordsOf(issue, type)]));
    setRefused(placed);
    setTried(true);
    const missed = issues.length === 0 || issues.some((issue) => !isField(pathOf(issue, draft)));
    if (missed) setFailure(error);
    setTimeout(() => Object.keys(placed).some(goTo));
  }

  return {
    type,
    base,
    draft,
    problems,
    dirty,
    saving,
    failure,
    conflict,
    dismissConflict: () => setConflict(null),
    setDraft,
    change: (part) => change({ ...draft, ...part }, Object.keys(part)[0] ?? ""),
    setMember: (name, value) => change({ ...draft, config: { ...draft.config, [name]: value } }, `config.${name}`),
    problem: (path) => (tried || touched.has(path) || path in refused ? problems[path] : undefined),
    touch: (path) => setTouched((before) => (before.has(path) ? before : new Set(before).add(path))),
    discard: () => {
      setDraft(base ? draftOf(base) : fresh);
      setConflict(null);
      setFailure(null);
      setRefused({});
      setTried(false);
      setTouched(new Set());
    },
    check,
    save,
  };
}

const versionOf = ({ etag }: Versioned): number => Number(etag?.replaceAll('"', "") ?? 0);

const fields = /^(name|config\..+|api_key_hashes|filter_rules\..+|sampling_rate|privacy_mode|broadcast_.+)$/;
const isField = (path: string) => fields.test(path);

/** The form's path of what the gateway names: extra headers are rows here, and go by their name there. */
function pathOf({ path }: FieldIssue, draft: Draft): string {
  const header = /^config\.headers\.(.+)$/.exec(path)?.[1];
  const headers = draft.config["headers"];
  if (header === undefined || headers === undefined || !isHeaders(headers)) return path;
  return headerPath(headers.findIndex(({ name }) => name.trim() === header));
}

/** "must be …" reads on from the member's title. */
function wordsOf({ path, message }: FieldIssue, type: DestinationType): string {
  if (path.startsWith("filter_rules")) return message.slice(0, 1).toUpperCase() + message.slice(1);
  const name = path.split(".")[1] ?? "";
  const title = path.startsWith("config.") ? configMembers(type)[name]?.title : undefined;
  return `${title ?? "This"} ${message}`;
}
