import type { ReactNode } from "react";
import type { FieldValues, FieldPath, UseFormReturn } from "react-hook-form";
import { useReachable } from "../api/connectivity.ts";
import { Button } from "../ui/Button.tsx";
import { Gate } from "../ui/Gate.tsx";
import { withMod } from "../ui/mod-key.ts";
import { Notice } from "../ui/Notice.tsx";
import { Panel, type PanelProps } from "../ui/Panel.tsx";
import { CorrectionList } from "./CorrectionList.tsx";
import { DraftOffer } from "./DraftOffer.tsx";
import type { EndpointForm } from "./endpoint-form.ts";
import { FormFailure } from "./FormFailure.tsx";
import { leaveQuestion } from "./leave-guard.ts";
import { useSubmitKeys } from "./submit-keys.ts";

export interface FormPanelOptions {
  title: string;
  description?: ReactNode;
  /** the words on the primary button */
  submitLabel: string;
  /** where X, Esc and Cancel lead; a navigation, which the form guards */
  onClose: () => void;
  /** a sentence over the buttons */
  summary?: ReactNode;
  /** at the right of the buttons */
  note?: ReactNode;
  /** why it cannot be sent now, beyond the gateway being out of reach */
  disabledReason?: string | undefined;
  /** what it changes, in one word, and whether it was deleted elsewhere: then only what was typed is left */
  target?: { noun: string; deleted: boolean };
  initialFocus?: PanelProps["initialFocus"];
  finalFocus?: PanelProps["finalFocus"];
  children: ReactNode;
}

/** A form in the panel on the right. The form supplies its fields; everything else is handled here. */
export function FormPanel<V extends FieldValues>({ form, ...options }: FormPanelOptions & { form: EndpointForm<V> }) {
  return <Panel {...useFormPanel(form, options)} />;
}

/** The same as the panel's properties, for a panel whose content changes afterwards. */
export function useFormPanel<V extends FieldValues>(state: EndpointForm<V>, options: FormPanelOptions): PanelProps {
  const { reason } = useReachable();
  const { guard, pending, slow, send, gone } = state;
  const { noun, deleted } = options.target ?? {};
  const lost = noun !== undefined && (gone || deleted === true);
  useSubmitKeys("panel", send);
  return {
    title: options.title,
    description: options.description,
    busy: pending,
    onDismiss: () => {
      if (guard.asking) guard.stay();
      else if (state.question) state.answer(false);
      else if (!pending) options.onClose();
    },
    onSubmit: (event) => {
      event.preventDefault();
      send();
    },
    gate: gateOf(state),
    initialFocus: options.initialFocus,
    finalFocus: options.finalFocus,
    footer: (
      <>
        <FormFailure failure={lost && gone ? null : state.failure} />
        {options.summary}
        {/* the panel covers the bar that says it */}
        {reason !== undefined && <p className="text-12 text-warn-fg">{reason}</p>}
        <div className="flex flex-wrap items-center gap-2">
          <Button
            type="submit"
            variant="primary"
            shortcut={withMod("↵")}
            pending={pending}
            disabledReason={
              lost || gone ? `The ${noun ?? "record"} no longer exists.` : (reason ?? options.disabledReason)
            }
          >
            {options.submitLabel}
          </Button>
          <Button
            variant="quiet"
            shortcut="esc"
            disabledReason={pending && "Already sending"}
            onClick={options.onClose}
          >
            Cancel
          </Button>
          <p role="status" className="ml-auto text-12 text-fg-3">
            {slow ? "Still waiting for the gateway. Do not close this tab." : options.note}
          </p>
        </div>
      </>
    ),
    children: (
      <>
        {lost && (
          <Notice tone="bad" role="alert">
            <b className="font-semibold">This {noun} was deleted elsewhere.</b> It can no longer be saved. What you
            entered stays here until you leave: copy what you need.
          </Notice>
        )}
        {state.draft && <DraftOffer {...state.draft} />}
        <ErrorSummary form={state.form} labels={state.labels} />
        {options.children}
      </>
    ),
  };
}

function gateOf<V extends FieldValues>({ guard, question, answer }: EndpointForm<V>): ReactNode {
  if (guard.asking) {
    return (
      <Gate
        title={leaveQuestion.title}
        actions={
          <>
            <Button variant="primary" shortcut="esc" onClick={guard.stay}>
              {leaveQuestion.stay}
            </Button>
            <Button variant="danger" onClick={guard.leave}>
              {leaveQuestion.leave}
            </Button>
          </>
        }
      >
        {leaveQuestion.text}
      </Gate>
    );
  }
  if (!question) return undefined;
  return (
    <Gate
      title={question.title}
      actions={
        <>
          <Button variant="primary" shortcut="esc" onClick={() => answer(false)}>
            Go back
          </Button>
          <Button variant="danger" onClick={() => answer(true)}>
            {question.confirm}
          </Button>
        </>
      }
    >
      {question.text}
    </Gate>
  );
}

interface ErrorSummaryProps<V extends FieldValues> {
  form: UseFormReturn<V>;
  labels: Readonly<Record<string, string | undefined>>;
}

/** The corrections of a form after it was submitted. */
function ErrorSummary<V extends FieldValues>({ form, labels }: ErrorSummaryProps<V>) {
  const { errors, submitCount } = form.formState;
  if (submitCount === 0) return null;
  const corrections = messagesIn(errors).map(({ field, message }) => ({
    field,
    label: labels[field] ?? field,
    message,
  }));
  return <CorrectionList corrections={corrections} goTo={(field) => form.setFocus(field as FieldPath<V>)} />;
}

/** What is wrong, by the names of the fields; those of a row are one level down: "patterns.1.label". */
function messagesIn(errors: object, before = ""): { field: string; message: string }[] {
  return Object.entries(errors).flatMap(([name, error]: [string, unknown]) => {
    if (typeof error !== "object" || error === null) return [];
    const field = before + name;
    return "message" in error && typeof error.message === "string"
      ? [{ field, message: error.message }]
      : messagesIn(error, `${field}.`);
  });
}
