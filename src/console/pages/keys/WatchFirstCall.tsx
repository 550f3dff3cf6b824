import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { listKeys } from "#contract/keys.ts";
import { readAgain } from "../../api/action.ts";
import { useRecentKey } from "./recent-key.ts";
import { useFirstCall } from "./use-first-call.ts";

/** Keeps watching the key made last after its dialog is closed, and refreshes the list on its first call. */
export function WatchFirstCall() {
  const made = useRecentKey();
  return made && <Watch key={made.hash} hash={made.hash} />;
}

function Watch({ hash }: { hash: string }) {
  const client = useQueryClient();
  const used = useFirstCall(hash).data?.data.last_used_at ?? null;
  useEffect(() => {
    if (used !== null) void readAgain(client, listKeys.name);
  }, [client, used]);
  return null;
}
