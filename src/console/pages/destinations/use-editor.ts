import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { type DestinationType, configMembers } from "#contract/destination-kinds.ts";
import { createDestination, updateDestination } from "#contract/destinations.ts";
import { refreshAfter } from "../../api/action.ts";
import { useRequestToken } from "../../api/request-token.ts";
import { callTagged, ifMatch } from "../../api/call.ts";
import { ApiError } from "../../api/errors.ts";
import { placeIssues, type FindField } from "../../form/problems.ts";
import { useSubmission } from "../../form/submission.ts";
import { useWorkspaceId } from "../../shell/workspace.ts";
import { createBody, draftOf, isHeaders, newDraft, updateBody, type Draft } from "./draft.ts";
import { goTo, type Editing } from "./editor.ts";
import { afterSaving, merge, type Overlap } from "./merge.ts";
import { draftProblems, headerPath } from "./problems.ts";
import { settingOf } from "./settings.ts";
import { destinationQuery, type Versioned } from "./use-destination.ts";

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
  /** the user tried to save invalid values */
  tried: boolean;
  dismissConflict: () => void;
  setDraft: (draft: Draft) => void;
  discard: () => void;
  /** false where something is wrong; the focus is then on it */
  check: () => boolean;
  /** resolves to what is stored then; null where it was refused */
  save: () => Promise<Versioned | null>;
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
  const idOfWorkspace = useWorkspaceId();
  const [began, setBegan] = useState(stored);
  const [fresh] = useState(() => newDraft(type));
  const [draft, setDraft] = useState(() => (stored ? draftOf(stored.record) : fresh));
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [tried, setTried] = useState(false);
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({});
  /** what was changed since the draft that is being saved was sent */
  const changedSince = useRef(new Set<string>());
  const { once } = useRequestToken();
  const submission = useSubmission();
  const { pending: saving, failure, setFailure } = submission;
  const [conflict, setConflict] = useState<Conflict | null>(null);

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
    changedSince.current.add(path);
    setRefused((before) => without(before, [path]));
  }

  function check(): boolean {
    setTried(true);
    const first = Object.keys(problems)[0];
    if (first === undefined) return true;
    goTo(first);
    return false;
  }

  async function save(): Promise<Versioned | null> {
    let stored: Versioned | null = null;
    await submission.submit(async () => {
      changedSince.current.clear();
      const { answer, etag } = await send();
      const saved = { record: answer.data, etag };
      stored = saved;
      setBegan(saved);
      setDraft((now) => afterSaving(draft, now, answer.data));
      setConflict(null);
      setTried(false);
      setTouched(new Set());
      client.setQueryData(destinationQuery(answer.data.id).queryKey, saved);
      void refreshAfter(client, base ? updateDestination : createDestination);
    }, place);
    return stored;
  }

  async function send() {
    if (!base) {
      const body = createBody(type, draft, workspaceId ?? (await idOfWorkspace()));
      return once(body, (headers) => callTagged(createDestination, { body }, { headers }));
    }
    const headers = ifMatch(began?.etag);
    return callTagged(updateDestination, { params: { id: base.id }, body: updateBody(base, draft) }, { headers });
  }

  async function place(error: unknown): Promise<void> {
    if (error instanceof ApiError && error.status === 409 && base) {
      setFailure(error);
      // the newer version arrives like any other, and is shown next to the draft
      await client.refetchQueries({ queryKey: destinationQuery(base.id).queryKey });
      return;
    }
    const issues = error instanceof ApiError ? error.issues : [];
    const { placed, rest } = placeIssues(issues, (path) => findField(path, type, draft));
    // said of what is not there any more, a refusal would keep the form from being saved without a word
    const present = without(placed, [...changedSince.current]);
    setRefused(present);
    setTried(true);
    if (rest.length > 0 || issues.length === 0) setFailure(error);
    setTimeout(() => Object.keys(present).some(goTo));
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
    tried,
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

/** What is said of other parts of the draft than these. */
function without(said: Readonly<Record<string, string>>, changed: readonly string[]): Record<string, string> {
  const isOf = (one: string) => changed.some((path) => one.startsWith(path) || path.startsWith(one));
  return Object.fromEntries(Object.entries(said).filter(([one]) => !isOf(one)));
}

const versionOf = ({ etag }: Versioned): number => Number(etag?.replaceAll('"', "") ?? 0);

/** Extra headers are rows in the form, and go by their names in what the gateway says. */
function findField(path: string, type: DestinationType, { config }: Draft): ReturnType<FindField> {
  if (!path.startsWith("config.") && settingOf(path) === undefined) return null;
  const [section, name = ""] = path.split(".");
  // what a rule needs is said under it
  if (section === "filter_rules") return { field: path, label: "" };
  const header = /^config\.headers\.(.+)$/.exec(path)?.[1];
  const { headers } = config;
  const field =
    header === undefined || headers === undefined || !isHeaders(headers)
      ? path
      : headerPath(headers.findIndex((one) => one.name.trim() === header));
  return { field, label: (section === "config" && configMembers(type)[name]?.title) || "This" };
}
