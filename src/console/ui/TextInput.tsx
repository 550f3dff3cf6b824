import type { ComponentPropsWithRef, ReactNode } from "react";
import { cx } from "./cx.ts";

export interface TextInputProps extends Omit<ComponentPropsWithRef<"input">, "prefix" | "size"> {
  /** Outside the value, such as "$" or an icon: never part of what is typed or copied. */
  prefix?: ReactNode;
  suffix?: ReactNode;
  /** Figures are right-aligned, with tabular digits. */
  figures?: boolean | undefined;
  mono?: boolean | undefined;
  size?: "sm" | "md" | undefined;
  /** On the frame around the input: width and place. */
  className?: string | undefined;
}

/** The frame of every text-like control: hairline at 3 : 1, the focus color with 1 px more, red when invalid. */
export const frameClass =
  "flex items-center gap-2 min-w-0 bg-bg-0 border border-line-field rounded-2 text-fg-1 " +
  "focus-within:border-focus focus-within:outline-1 focus-within:outline-focus focus-within:outline-solid " +
  "has-[[aria-invalid=true]]:border-bad-fg has-[[aria-invalid=true]]:focus-within:outline-bad-fg " +
  "has-[:disabled]:bg-bg-2 has-[:disabled]:border-line has-[:disabled]:text-fg-3";

const heights = { sm: "h-7 max-md:h-9 px-2 text-12", md: "h-8 max-md:h-9 px-2.5" };

/** A single line of text. On a phone its type is 16 px, below which iOS zooms the page in. */
export function TextInput({
  prefix,
  suffix,
  figures,
  mono,
  size = "md",
  className,
  type = "text",
  ...rest
}: TextInputProps) {
  return (
    <span className={cx(frameClass, heights[size], className)}>
      {prefix && <span className="text-fg-3 shrink-0">{prefix}</span>}
      <input
        type={type}
        autoComplete="off"
        {...rest}
        className={cx(
          "flex-1 w-full min-w-0 self-stretch bg-transparent outline-none text-ellipsis max-md:text-[16px]",
          figures && "text-right tabular-nums",
          mono && "mono",
        )}
      />
      {suffix && <span className="text-fg-3 shrink-0">{suffix}</span>}
    </span>
  );
}
