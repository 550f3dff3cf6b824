import type { ComponentPropsWithRef } from "react";
import { cx } from "./cx.ts";

/** The classes of a link in text, for the router's own link component. */
export const linkTextClass = "text-accent underline-offset-2 hover:underline rounded-1";

/** A link in verdigris. Links that leave the console open a new tab and say so. */
export function LinkText({ className, children, target, ...rest }: ComponentPropsWithRef<"a">) {
  return (
    <a {...rest} {...(target && { target, rel: "noreferrer" })} className={cx(linkTextClass, className)}>
      {children}
      {target === "_blank" && <span className="sr-only"> (opens a new tab)</span>}
    </a>
  );
}

/** A button that reads as a link: it acts here instead of going somewhere. */
export function LinkButton({ className, type = "button", ...rest }: ComponentPropsWithRef<"button">) {
  return <button type={type} {...rest} className={cx(linkTextClass, "min-h-7 text-left", className)} />;
}
