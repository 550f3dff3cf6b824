import { useEffect, useRef, useState } from "react";
import {
  set,
  useForm,
  type DefaultValues,
  type FieldErrors,
  type FieldPath,
  type FieldValues,
  type UseFormReturn,
} from "react-hook-form";
import type { ApiEndpoint } from "#contract/api.ts";
import type { Input } from "#contract/endpoint.ts";
import { ApiError, isNotFound } from "../api/errors.ts";
import { now } from "../api/clock.ts";
import { dropDraft, readDraft, saveDraft } from "./draft.ts";
import { useLeaveGuard, type LeaveGuard } from "./leave-guard.ts";
import { fieldIn, placeIssues, schemaProblems, type FieldOfMember, type FieldProblems } from "./problems.ts";
import { useSubmission } from "./submission.ts";

/** Something to settle before sending: shown at the panel's foot. */
export interface Question {
  title: string;
  text?: string;
  /** the button that goes on */
  confirm: string;
}

export interface EndpointFormOptions<E extends ApiEndpoint, V extends FieldValues> {
  endpoint: E;
  /** what the fields start with; the form is dirty while they differ from it */
  values: DefaultValues<V>;
  /** the call that these values make */
  input: (values: V) => Input<E>;
  /** the visible name of every field; a server's issue with a member that has none goes to the footer */
  labels: { readonly [field in keyof V & string]?: string };
  /** where a member of the API has another name in the form */
  fieldOf?: FieldOfMember;
  /** what the endpoint's schema cannot say */
  problems?: (values: V) => FieldProblems;
  /** makes the call; what it throws is shown */
  submit: (input: Input<E>, values: V) => Promise<void>;
  /** asked once before sending */
  ask?: (values: V) => Question | null;
  /** keeps a draft under this name; only for forms without secrets */
  draft?: string;
}

export interface EndpointForm<V extends FieldValues> {
  form: UseFormReturn<V>;
  labels: Readonly<Record<string, string | undefined>>;
  pending: boolean;
  /** pending for eight seconds or more */
  slow: boolean;
  /** the last refusal that belongs to no field */
  failure: unknown;
  /** that refusal says that what the form changes no longer exists */
  gone: boolean;
  question: Question | null;
  answer: (goOn: boolean) => void;
  send: () => void;
  guard: LeaveGuard;
  /** a draft of an earlier, cut-short visit */
  draft: { restore: () => void; drop: () => void } | null;
}

/** A form bound to an endpoint: its schema checks the fields, its errors come back to them, and leaving it is guarded. */
export function useEndpointForm<E extends ApiEndpoint, V extends FieldValues>(
  options: EndpointFormOptions<E, V>,
): EndpointForm<V> {
  const { endpoint, input, labels, fieldOf = {}, problems, submit, ask } = options;
  const names = labels as Record<string, string>;
  const form = useForm<V>({
    defaultValues: options.values,
    mode: "onTouched",
    reValidateMode: "onChange",
    shouldFocusError: true,
    resolver: (values) => {
      const body = (input(values) as { body?: unknown }).body;
      const found = { ...schemaProblems(endpoint.body, body, fieldOf, names), ...problems?.(values) };
      const errors = {};
      // a field of a row, such as "patterns.1.label", is one level down
      for (const [field, message] of Object.entries(found)) set(errors, field, { type: "check", message });
      return Object.keys(errors).length === 0
        ? { values, errors: {} }
        : { values: {}, errors: errors as FieldErrors<V> };
    },
  });
  const submission = useSubmission();
  const { pending, slow, failure, setFailure } = submission;
  const [question, setQuestion] = useState<Question | null>(null);
  // read here, so that the form proxy subscribes to it
  const { isDirty } = form.formState;
  const guard = useLeaveGuard(pending ? "hold" : isDirty ? "ask" : "free");
  const draft = useDraft(form, options.draft, isDirty);

  async function deliver(values: V): Promise<void> {
    await submission.submit(async () => {
      await submit(input(values), values);
      draft.forget();
    }, place);
  }

  function place(error: unknown): void {
    if (!(error instanceof ApiError) || error.issues.length === 0) return setFailure(error);
    const { placed, rest } = placeIssues(error.issues, fieldIn(fieldOf, names));
    const entries = Object.entries(placed);
    for (const [index, [field, message]] of entries.entries()) {
      form.setError(field as FieldPath<V>, { type: "server", message }, { shouldFocus: index === 0 });
    }
    if (rest.length > 0 || entries.length === 0) setFailure(error);
  }

  async function check(values: V): Promise<void> {
    const asked = ask?.(values) ?? null;
    if (asked) setQuestion(asked);
    else await deliver(values);
  }

  return {
    form,
    labels: names,
    pending,
    slow,
    failure,
    gone: endpoint.method !== "POST" && isNotFound(failure),
    question,
    answer: (goOn) => {
      setQuestion(null);
      if (goOn) void deliver(form.getValues());
    },
    send: () => {
      if (!submission.isUnderWay() && question === null) void form.handleSubmit(check)();
    },
    guard: {
      ...guard,
      leave: () => {
        draft.forget();
        guard.leave();
      },
    },
    draft: draft.offer,
  };
}

const saveDelayMs = 400;

/** Saves what is typed once typing rests, and offers what an earlier visit left behind. */
function useDraft<V extends FieldValues>(
  form: UseFormReturn<V>,
  name: string | undefined,
  dirty: boolean,
): { offer: EndpointForm<V>["draft"]; forget: () => void } {
  const [found, setFound] = useState(() => (name === undefined ? null : readDraft(sessionStorage, name, now())));
  // what was sent or given up leaves no draft behind, whatever was still about to be saved
  const over = useRef(false);
  useEffect(() => {
    if (name === undefined) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = form.subscribe({
      formState: { values: true, isDirty: true },
      callback: ({ values, isDirty }) => {
        clearTimeout(timer);
        timer = setTimeout(() => {
          if (isDirty && !over.current) saveDraft(sessionStorage, name, values, now());
        }, saveDelayMs);
      },
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [form, name]);
  const forget = () => {
    over.current = true;
    if (name !== undefined) dropDraft(sessionStorage, name);
  };
  if (name === undefined || found === null || dirty) return { offer: null, forget };
  const offer = {
    restore: () => {
      for (const [field, value] of Object.entries(found)) {
        form.setValue(field as FieldPath<V>, value as never, { shouldDirty: true });
      }
      setFound(null);
    },
    drop: () => {
      dropDraft(sessionStorage, name);
      setFound(null);
    },
  };
  return { offer, forget };
}
