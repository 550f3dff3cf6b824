import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { getKey } from "#contract/keys.ts";
import { useNow } from "../../api/clock.ts";
import { ApiError } from "../../api/errors.ts";
import { query } from "../../api/query.ts";
import { formatClock, formatUsd } from "../../format.ts";
import { cx } from "../../ui/cx.ts";

const pollEveryMs = 3_000;
/** after a quarter of an hour nobody is watching; the row still tells when it was last used */
const watchForMs = 15 * 60_000;

/** The key's record, read again every three seconds until it was used for the first time. */
export function useFirstCall(hash: string) {
  const [giveUpAt] = useState(() => Date.now() + watchForMs);
  return useQuery({
    ...query(getKey, { params: { hash } }),
    staleTime: 0,
    refetchInterval: ({ state }) => {
      const gone = state.error instanceof ApiError && state.error.status === 404;
      return gone || state.data?.data.last_used_at || Date.now() > giveUpAt ? false : pollEveryMs;
    },
    refetchIntervalInBackground: true,
  });
}

interface FirstCallProps {
  hash: string;
  /** when the key was made */
  since: Date;
}

/** The light that goes on with the key's first call: proof that the hand-over worked. */
export function FirstCall({ hash, since }: FirstCallProps) {
  const { data, isError } = useFirstCall(hash);
  const key = data?.data;
  const used = key?.last_used_at ?? null;
  const now = useNow(1_000);
  const waited = Math.max(0, Math.floor((now.getTime() - since.getTime()) / 1_000));
  return (
    <div className="flex items-center gap-3.5 border-t border-line pt-4">
      <Portcullis open={used !== null} />
      <div role="status" className="min-w-0 grow">
        {key && used !== null ? (
          <>
            <p className="text-ok-fg">First call, {formatClock(new Date(used), "UTC", { seconds: true })} UTC</p>
            <p className="text-12 text-fg-3">
              It cost {formatUsd(key.usage + key.byok_usage)}. The key works where you put it.
            </p>
          </>
        ) : (
          <>
            <p>Waiting for the first call</p>
            <p className="text-12 text-fg-3">
              {isError
                ? "The gateway does not tell right now; the key itself is not affected."
                : "The row keeps watching after you close this."}
            </p>
          </>
        )}
      </div>
      {used === null && (
        <span aria-hidden="true" className="text-12 text-fg-3 tabular-nums">
          {Math.floor(waited / 60)}:{String(waited % 60).padStart(2, "0")}
        </span>
      )}
    </div>
  );
}

/** The mark as a light: bars down while it waits, up and green once. */
export function Portcullis({ open, size = 26 }: { open: boolean; size?: number }) {
  const [animated, setAnimated] = useState(false);
  useEffect(() => {
    if (open) setAnimated(true);
  }, [open]);
  return (
    <svg width={size} height={size} viewBox="0 0 26 26" fill="none" aria-hidden="true" className="shrink-0">
      <path d="M4 23V13a9 9 0 0 1 18 0v10" strokeWidth="1.5" className={open ? "stroke-ok-fg" : "stroke-line-field"} />
      <path
        d={open ? "M9 8v5M13 6v7M17 8v5" : "M9 9v8M13 8v10M17 9v8"}
        strokeWidth="2"
        className={cx(open ? "stroke-ok-fg" : "stroke-tick", animated && "anim-gate-up")}
      />
    </svg>
  );
}
