import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { getKey } from "#contract/keys.ts";
import { minuteMs } from "#contract/time.ts";
import { stampMs } from "../../api/clock.ts";
import { isNotFound } from "../../api/errors.ts";
import { query } from "../../api/query.ts";

const pollEveryMs = 3_000;
/** after a quarter of an hour, stop polling; the row still shows when the key was last used */
const watchForMs = 15 * minuteMs;

/** The key's record, read again every three seconds until it was used for the first time. */
export function useFirstCall(hash: string) {
  const [giveUpAt] = useState(() => stampMs() + watchForMs);
  return useQuery({
    ...query(getKey, { params: { hash } }),
    staleTime: 0,
    refetchInterval: ({ state }) => {
      const gone = isNotFound(state.error);
      return gone || state.data?.data.last_used_at || stampMs() > giveUpAt ? false : pollEveryMs;
    },
    refetchIntervalInBackground: true,
  });
}
