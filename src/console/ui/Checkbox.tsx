import { useId, type ComponentPropsWithRef, type ReactNode } from "react";
import { cx } from "./cx.ts";

export interface CheckboxProps extends Omit<ComponentPropsWithRef<"input">, "type" | "size"> {
  /** Left out when `aria-label` names it, as in a table's row. */
  label?: ReactNode;
  hint?: ReactNode;
  /** Some but not all of what it represents is checked. */
  indeterminate?: boolean | undefined;
}

/** A square of 16 px in a target of 28; a native checkbox, so forms and `register` work with it directly. */
export function Checkbox({ label, hint, indeterminate, className, ref, ...rest }: CheckboxProps) {
  const id = useId();
  const control = (
    <span className="relative grid place-items-center size-4 my-0.5 shrink-0">
      <input
        type="checkbox"
        aria-describedby={hint ? `${id}-hint` : undefined}
        {...rest}
        ref={(element) => {
          if (element) element.indeterminate = Boolean(indeterminate);
          if (typeof ref === "function") return ref(element);
          if (ref) ref.current = element;
        }}
        className={cx(
          "peer appearance-none size-4 bg-bg-0 border border-line-field rounded-1 transition-paint",
          "checked:bg-ink checked:border-ink indeterminate:bg-ink indeterminate:border-ink",
          "aria-invalid:border-bad-fg disabled:bg-bg-2 disabled:border-line-2 disabled:checked:bg-fg-3 disabled:checked:border-fg-3",
          "forced-colors:appearance-auto",
        )}
      />
      <svg
        width="12"
        height="12"
        viewBox="0 0 16 16"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.8"
        aria-hidden="true"
        className="absolute hidden peer-checked:block peer-indeterminate:hidden text-on-ink pointer-events-none forced-colors:!hidden"
      >
        <path d="m3.5 8.5 3 3 6-7" />
      </svg>
      <span
        aria-hidden="true"
        className="absolute hidden peer-indeterminate:block w-2 h-0.5 bg-on-ink pointer-events-none forced-colors:!hidden"
      />
    </span>
  );
  if (!label)
    return <label className={cx("inline-grid place-items-center min-w-7 min-h-7", className)}>{control}</label>;
  return (
    <span className={cx("grid", className)}>
      <label className="flex items-start gap-2 min-h-7 py-1">
        {control}
        <span>{label}</span>
      </label>
      {hint && (
        <span id={`${id}-hint`} className="pl-6 text-12 text-fg-3">
          {hint}
        </span>
      )}
    </span>
  );
}
