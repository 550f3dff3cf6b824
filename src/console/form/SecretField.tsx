import { useId, useRef, useState, type ClipboardEvent, type ReactNode, type Ref } from "react";
import { Button } from "../ui/Button.tsx";
import { Field, FieldError } from "../ui/Field.tsx";
import { LinkButton } from "../ui/LinkText.tsx";
import { PasswordInput } from "../ui/PasswordInput.tsx";
import { pastedAssignment, secretDraft, type SecretDraft } from "./secret.ts";

export interface SecretFieldProps {
  label: string;
  /** what the server shows of the stored secret; null where there is none */
  mask: string | null;
  value: SecretDraft;
  onChange: (draft: SecretDraft) => void;
  onBlur?: (() => void) | undefined;
  error?: string | undefined;
  hint?: ReactNode;
  /** what one looks like, never a whole one */
  placeholder?: string | undefined;
  /** there may be none: offers Remove, and marks the empty field as optional */
  optional?: boolean | undefined;
  /** when it was set and by whom, as a sentence */
  set?: string | undefined;
  /** next to Replace, such as Test */
  actions?: ReactNode;
  /** next to the field, whatever is about to happen to the secret */
  extra?: ReactNode;
  ref?: Ref<HTMLInputElement> | undefined;
}

/**
 * A secret that is stored and never shown again. While it is kept it is not an input at all, so that no form can write
 * the mask back; replacing and removing are choices of their own, and both can be taken back until saving.
 */
export function SecretField(props: SecretFieldProps) {
  const { mask, value } = props;
  if (mask !== null && value.state !== "typed") return <Stored {...props} mask={mask} />;
  return <Typed {...props} />;
}

function Stored({
  label,
  mask,
  value,
  onChange,
  error,
  hint,
  optional,
  actions,
  extra,
  set,
}: SecretFieldProps & { mask: string }) {
  const id = useId();
  const removed = value.state === "removed";
  return (
    <div role="group" aria-labelledby={id} className="grid gap-1.5">
      <span id={id} className="text-12 font-semibold">
        {label}
      </span>
      <div className="flex min-h-8 flex-wrap items-center gap-2">
        {removed ? (
          <s translate="no" className="mono text-fg-3">
            {mask.replace("...", "…")}
          </s>
        ) : (
          <span translate="no" className="mono">
            {mask.replace("...", "…")}
          </span>
        )}
        <span className="text-12 text-fg-3">
          {removed ? "Removed on save" : set === undefined ? "Unchanged" : `${set} Unchanged`}
        </span>
        <span className="ml-auto flex flex-wrap gap-2">
          {extra}
          {removed ? (
            <Button size="sm" onClick={() => onChange(secretDraft(mask))}>
              Undo
            </Button>
          ) : (
            <>
              {actions}
              <Button size="sm" onClick={() => onChange({ state: "typed", text: "" })}>
                Replace
              </Button>
              {optional && (
                <Button size="sm" variant="quiet" onClick={() => onChange({ state: "removed", text: "" })}>
                  Remove
                </Button>
              )}
            </>
          )}
        </span>
      </div>
      {error ? <FieldError>{error}</FieldError> : hint && <div className="text-12 text-fg-3">{hint}</div>}
    </div>
  );
}

function Typed({
  label,
  mask,
  value,
  onChange,
  onBlur,
  error,
  hint,
  placeholder,
  optional,
  extra,
  ref,
}: SecretFieldProps) {
  const [taken, setTaken] = useState<string | null>(null);
  const kept = useRef(mask !== null);
  const keep = () => onChange(secretDraft(mask));
  function paste(event: ClipboardEvent) {
    const assignment = pastedAssignment(event.clipboardData.getData("text"));
    setTaken(assignment?.name ?? null);
    if (!assignment) return;
    event.preventDefault();
    onChange({ state: "typed", text: assignment.value });
  }
  const said = taken === null ? hint : `Filled in from the line that sets ${taken}.`;
  return (
    <Field
      label={
        mask === null
          ? label
          : `New ${/^[A-Z][a-z]/.test(label) ? label.slice(0, 1).toLowerCase() + label.slice(1) : label}`
      }
      optional={optional && mask === null}
      error={error}
      hint={said}
      aside={mask !== null && <LinkButton onClick={keep}>Keep current</LinkButton>}
    >
      {(control) => (
        <div className="flex items-center gap-2">
          <PasswordInput
            className="flex-1"
            {...control}
            ref={ref}
            // replacing was asked for by a button that is gone now
            autoFocus={kept.current}
            autoComplete="new-password"
            data-1p-ignore
            data-lpignore="true"
            data-bwignore
            data-takes-escape={mask === null ? undefined : ""}
            placeholder={placeholder}
            value={value.text}
            onChange={(event) => onChange({ state: "typed", text: event.target.value })}
            onPaste={paste}
            onBlur={onBlur}
            onKeyDown={(event) => {
              if (event.key !== "Escape" || mask === null) return;
              event.preventDefault();
              event.stopPropagation();
              keep();
            }}
          />
          {extra}
        </div>
      )}
    </Field>
  );
}
