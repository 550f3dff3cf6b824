import { useRef } from "react";
import { randomToken } from "./make-key.ts";

/** One Idempotency-Key for each request: the same body sent again after a lost answer makes no second key. */
export function useRequestToken(): { tokenFor: (body: object) => string; renew: () => void } {
  const last = useRef<{ body: string; token: string } | null>(null);
  return {
    tokenFor: (body) => {
      const text = JSON.stringify(body);
      if (last.current?.body !== text) last.current = { body: text, token: randomToken() };
      return last.current.token;
    },
    renew: () => {
      last.current = null;
    },
  };
}
