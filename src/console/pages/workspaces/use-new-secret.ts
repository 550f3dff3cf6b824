import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { rotateVideoWebhookSecret } from "#contract/video-webhooks.ts";
import { refreshAfter } from "../../api/action.ts";
import { call } from "../../api/call.ts";
import { errorText } from "../../api/error-messages.ts";
import { NetworkError } from "../../api/errors.ts";
import { onSessionEnd } from "../../api/session.ts";
import { useIdle } from "../../shell/idle.ts";
import { Vault } from "../../shell/vault.ts";

interface NewSecret {
  readonly vault: Vault;
  readonly label: string;
}

/**
 * Makes a workspace's signing secret and keeps its text until it is put away, the page is left or idle, or the session
 * ends. A plain call: what a mutation answers stays in react-query's cache for minutes.
 */
export function useNewSecret(reference: string) {
  const client = useQueryClient();
  const [made, setMade] = useState<NewSecret | null>(null);
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<string>();
  /** why the text is gone although nobody put it away */
  const [lost, setLost] = useState<string | null>(null);

  const drop = useCallback((why: string | null) => {
    setLost(why);
    setMade(null);
  }, []);
  useEffect(() => {
    if (made === null) return undefined;
    const { vault } = made;
    const lose = (why: string) => {
      vault.destroy();
      drop(why);
    };
    const left = () => lose("the page was left");
    window.addEventListener("pagehide", left);
    const stop = onSessionEnd(() => lose("the session ended"));
    return () => {
      window.removeEventListener("pagehide", left);
      stop();
      vault.destroy();
    };
  }, [made, drop]);
  const idleSeconds = useIdle(
    made !== null,
    useCallback(() => drop("the page was idle for 15 minutes"), [drop]),
  );

  /** @returns whether it was made */
  async function make(): Promise<boolean> {
    setPending(true);
    setProblem(undefined);
    try {
      const answer = await call(rotateVideoWebhookSecret, { params: { id: reference } });
      const vault = new Vault(answer.secret);
      answer.secret = "";
      setLost(null);
      setMade({ vault, label: answer.data.secret_label ?? "..." });
      return true;
    } catch (error) {
      const also = error instanceof NetworkError ? " It may have been created anyway: create another one then." : "";
      setProblem(`${errorText(error)}${also}`);
      return false;
    } finally {
      setPending(false);
      void refreshAfter(client, rotateVideoWebhookSecret);
    }
  }
  return { made, pending, problem, lost, idleSeconds, make, putAway: () => drop(null) };
}
