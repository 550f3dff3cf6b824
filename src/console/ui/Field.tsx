import { useId, type ReactNode } from "react";
import { cx } from "./cx.ts";
import { StatusShape } from "./Status.tsx";

/** What a control inside a field spreads on itself, so that label, hint and error belong to it. */
export interface FieldControl {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
}

export interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  /** Replaces the hint. */
  error?: string | null | undefined;
  /** Adds "(optional)": what is not marked is required. */
  optional?: boolean | undefined;
  /** At the right of the label, such as a link. */
  aside?: ReactNode;
  className?: string | undefined;
  children: (control: FieldControl) => ReactNode;
}

/** The line under a control in trouble: the square, then what would work. */
export function FieldError({ id, children }: { id?: string | undefined; children: ReactNode }) {
  return (
    <p id={id} className="flex items-start gap-1.5 text-12 text-bad-fg">
      <StatusShape kind="trouble" size={9} className="mt-1 text-bad-fg" />
      <span>{children}</span>
    </p>
  );
}

/** The same outside a field, read out as soon as there is something to say. */
export function ErrorAlert({ children }: { children: string | undefined }) {
  return (
    children && (
      <div role="alert">
        <FieldError>{children}</FieldError>
      </div>
    )
  );
}

function Optional() {
  return <span className="text-12 font-normal text-fg-3">(optional)</span>;
}

/** Label above, hint below, an error in the hint's place. */
export function Field({ label, hint, error, optional, aside, className, children }: FieldProps) {
  const id = useId();
  const below = error ? `${id}-error` : hint ? `${id}-hint` : undefined;
  return (
    <div className={cx("grid gap-1.5 min-w-0", className)}>
      <div className="flex items-baseline gap-1.5">
        <label htmlFor={id} className="text-12 font-semibold">
          {label}
        </label>
        {optional && <Optional />}
        {aside && <span className="ml-auto text-12">{aside}</span>}
      </div>
      {children({ id, "aria-describedby": below, "aria-invalid": error ? true : undefined })}
      <Below id={id} hint={hint} error={error} />
    </div>
  );
}

function Below({ id, hint, error }: { id: string; hint: ReactNode; error: string | null | undefined }) {
  if (error) return <FieldError id={`${id}-error`}>{error}</FieldError>;
  if (!hint) return null;
  return (
    <div id={`${id}-hint`} className="text-12 text-fg-3">
      {hint}
    </div>
  );
}

export interface FieldGroupProps extends Omit<FieldProps, "children"> {
  children: ReactNode;
}

/** The same around several controls (radios, checkboxes, date and time): a fieldset named by its legend. */
export function FieldGroup({ label, hint, error, optional, aside, className, children }: FieldGroupProps) {
  const id = useId();
  const below = error ? `${id}-error` : hint ? `${id}-hint` : undefined;
  return (
    <fieldset aria-describedby={below} className={cx("grid gap-1.5 min-w-0", className)}>
      <legend className="contents">
        <span className="flex items-baseline gap-1.5 text-12">
          <span className="font-semibold">{label}</span>
          {optional && <Optional />}
          {aside && <span className="ml-auto">{aside}</span>}
        </span>
      </legend>
      {children}
      <Below id={id} hint={hint} error={error} />
    </fieldset>
  );
}
