import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useReachable } from "../api/connectivity.ts";
import { Button, buttonClass, type ButtonSize, type ButtonVariant } from "../ui/Button.tsx";

interface ButtonLinkProps {
  id?: string;
  to: string;
  /** keeps the address's search, as it is on the press */
  search?: true;
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** the key that does the same */
  shortcut?: string;
  "aria-label"?: string;
  children: ReactNode;
}

/** Opens what makes a change. While the gateway does not answer, it is a button that says so. */
export function ButtonLink({ id, to, search, variant, size, shortcut, children, ...aria }: ButtonLinkProps) {
  const { reachable, reason } = useReachable();
  if (!reachable) {
    return (
      <Button id={id} variant={variant} size={size} disabledReason={reason} {...aria}>
        {children}
      </Button>
    );
  }
  return (
    <Link id={id} to={to} {...(search && { search })} className={buttonClass({ variant, size })} {...aria}>
      {children}
      {shortcut !== undefined && (
        <kbd aria-hidden="true" className="font-mono text-[11px]/4 font-normal text-on-ink-2 max-md:hidden">
          {shortcut}
        </kbd>
      )}
    </Link>
  );
}
