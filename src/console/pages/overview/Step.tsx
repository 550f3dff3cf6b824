import type { ReactNode } from "react";
import { StatusShape } from "../../ui/Status.tsx";

interface StepProps {
  done: boolean;
  title: string;
  detail: string;
  action?: ReactNode;
  /** under its words */
  children?: ReactNode;
}

/** One of several things to do, and whether it is done. */
export function Step({ done, title, detail, action, children }: StepProps) {
  return (
    <li className="border-t border-line py-2">
      <div className="flex min-h-10 items-center gap-3">
        <StatusShape kind={done ? "running" : "off"} />
        <div className="min-w-0 grow">
          <p className={done ? "text-fg-2" : "font-semibold"}>
            {title}
            <span className="sr-only">{done ? ", done" : ", to do"}</span>
          </p>
          <p className="text-12 text-fg-3">{detail}</p>
        </div>
        {action}
      </div>
      {children && <div className="pt-2 pb-3 pl-5.5">{children}</div>}
    </li>
  );
}
