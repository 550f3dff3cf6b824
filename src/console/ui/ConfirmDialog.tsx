import { useRef, useState, type FormEvent, type ReactNode } from "react";
import { Button } from "./Button.tsx";
import { Dialog } from "./Dialog.tsx";
import { Field, FieldError } from "./Field.tsx";
import { TextInput } from "./TextInput.tsx";

export interface ConfirmDialogProps {
  title: ReactNode;
  /** What will happen, in one or two sentences. */
  description: ReactNode;
  confirmLabel: string;
  cancelLabel?: string | undefined;
  /** Red words, and read out as an alert. */
  danger?: boolean | undefined;
  /** Must be typed before it can be confirmed. */
  typedName?: string | undefined;
  pending?: boolean | undefined;
  /** Why the last try failed. */
  error?: string | null | undefined;
  onConfirm: () => void;
  onCancel: () => void;
  finalFocus?: (() => HTMLElement | null | undefined) | undefined;
  children?: ReactNode;
}

/** Asks before something that matters. Focus is on the safe side: Cancel, or the empty field for the name. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    title,
    description,
    confirmLabel,
    cancelLabel = "Cancel",
    danger,
    typedName,
    pending,
    error,
    onConfirm,
    onCancel,
    finalFocus,
    children,
  } = props;
  const [typed, setTyped] = useState("");
  const cancel = useRef<HTMLButtonElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const missing = typedName !== undefined && typed.trim() !== typedName;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!missing && !pending) onConfirm();
  }
  const buttons = (
    <>
      <Button
        type="submit"
        variant={danger ? "danger" : "primary"}
        pending={pending}
        disabledReason={missing && `Type ${typedName} first`}
      >
        {confirmLabel}
      </Button>
      <Button ref={cancel} disabledReason={pending && "Already in progress"} onClick={onCancel}>
        {cancelLabel}
      </Button>
    </>
  );
  return (
    <Dialog
      role={danger ? "alertdialog" : "dialog"}
      title={title}
      description={description}
      busy={pending}
      initialFocus={typedName === undefined ? cancel : input}
      finalFocus={finalFocus}
      onDismiss={() => {
        if (!pending) onCancel();
      }}
      onSubmit={submit}
      footer={typedName === undefined ? buttons : undefined}
    >
      {children && <div className="pt-3">{children}</div>}
      {typedName !== undefined && (
        <div className="flex flex-wrap items-end gap-2 pt-3">
          <Field
            label={
              <>
                Type <span className="font-semibold wrap-anywhere select-all">{typedName}</span> to confirm
              </>
            }
            className="grow"
          >
            {(control) => (
              <TextInput
                {...control}
                ref={input}
                mono
                spellCheck={false}
                value={typed}
                onChange={(event) => setTyped(event.target.value)}
              />
            )}
          </Field>
          {buttons}
        </div>
      )}
      {error && (
        <div role="alert" className="pt-3">
          <FieldError>{error}</FieldError>
        </div>
      )}
    </Dialog>
  );
}
