import { Link } from "@tanstack/react-router";
import { cx } from "../ui/cx.ts";

interface UpstreamNameProps {
  to: string;
  name: string;
  /** what the provider calls the model */
  upstreamId: string;
  /** calls can go there */
  on: boolean;
}

/** The name of a provider or a model as a link, over what the provider calls the model. */
export function UpstreamName({ to, name, upstreamId, on }: UpstreamNameProps) {
  return (
    <div className="grid leading-4">
      <Link to={to} className={cx("truncate hover:underline", on ? "font-semibold text-fg-1" : "text-fg-2")}>
        {name}
      </Link>
      <span translate="no" className="truncate font-mono text-[10.5px]/3.5 text-fg-3">
        {upstreamId}
      </span>
    </div>
  );
}
