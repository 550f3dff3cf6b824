import { ChevronDown } from "lucide-react";
import type { ComponentPropsWithRef } from "react";
import { cx } from "./cx.ts";
import { frameClass } from "./TextInput.tsx";

export interface NativeSelectProps extends Omit<ComponentPropsWithRef<"select">, "size"> {
  size?: "sm" | "md" | undefined;
}

/** The platform's own list in this house's frame. Children are `option` elements. */
export function NativeSelect({ size = "md", className, children, ...rest }: NativeSelectProps) {
  return (
    <span
      className={cx(frameClass, "relative", size === "sm" ? "h-7 max-md:h-9 text-12" : "h-8 max-md:h-9", className)}
    >
      <select
        {...rest}
        className="appearance-none flex-1 w-full min-w-0 self-stretch pl-2.5 pr-8 bg-transparent outline-none text-ellipsis rounded-2 max-md:text-[16px] [&>option]:bg-bg-0 [&>option]:text-fg-1"
      >
        {children}
      </select>
      <ChevronDown size={14} aria-hidden="true" className="absolute right-2.5 text-fg-2 pointer-events-none" />
    </span>
  );
}
