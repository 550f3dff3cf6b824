import { useRef, useState } from "react";
import { isSignedOut } from "../api/errors.ts";
import { useSession } from "../api/session.ts";
import { useSlow } from "../ui/use-slow.ts";

export interface Submission {
  pending: boolean;
  /** pending for eight seconds or more */
  slow: boolean;
  /** the last refusal that belongs to no field */
  failure: unknown;
  setFailure: (failure: unknown) => void;
  /** Runs `send` unless one is under way. What it throws goes to `refused`, which is over before the form can be sent again. */
  submit: (send: () => Promise<void>, refused: (error: unknown) => void | Promise<void>) => Promise<void>;
  /** by now, and not as the last render saw it */
  isUnderWay: () => boolean;
}

/** One submission at a time, of a form. */
export function useSubmission(): Submission {
  const [pending, setPending] = useState(false);
  const slow = useSlow(pending);
  const [failure, setFailure] = useState<unknown>(null);
  const sending = useRef(false);
  // signed in again: that the session ended is no longer what keeps the form from being sent
  if (useSession().state === "signed-in" && isSignedOut(failure)) setFailure(null);
  return {
    pending,
    slow,
    failure,
    setFailure,
    isUnderWay: () => sending.current,
    submit: async (send, refused) => await submitOnce(sending, { setPending, setFailure }, send, refused),
  };
}

/** @param sending whether one is under way; it is until what was refused is dealt with */
export async function submitOnce(
  sending: { current: boolean },
  { setPending, setFailure }: { setPending: (pending: boolean) => void; setFailure: (failure: null) => void },
  ...[send, refused]: Parameters<Submission["submit"]>
): Promise<void> {
  if (sending.current) return;
  sending.current = true;
  setPending(true);
  setFailure(null);
  try {
    await send();
  } catch (error) {
    await refused(error);
  } finally {
    sending.current = false;
    setPending(false);
  }
}
