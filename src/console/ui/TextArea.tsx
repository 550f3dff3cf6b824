import type { ComponentPropsWithRef } from "react";
import { cx } from "./cx.ts";
import { frameClass } from "./TextInput.tsx";

export interface TextAreaProps extends ComponentPropsWithRef<"textarea"> {
  mono?: boolean | undefined;
}

/** Several lines of text; grows with its content where the browser can (`field-sizing`). */
export function TextArea({ mono, className, rows = 3, ...rest }: TextAreaProps) {
  return (
    <span className={cx(frameClass, className)}>
      <textarea
        rows={rows}
        {...rest}
        // with field-sizing the browser no longer goes by `rows`
        style={{ minHeight: `calc(${rows} * 1lh + 12px)` }}
        className={cx(
          "flex-1 w-full min-w-0 px-2.5 py-1.5 bg-transparent outline-none resize-y field-sizing-content max-h-80 max-md:text-[16px]",
          mono && "mono",
        )}
      />
    </span>
  );
}
