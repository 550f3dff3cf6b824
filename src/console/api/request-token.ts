import { useRef } from "react";

/** 128 random bits; `crypto.randomUUID` is withheld on plain HTTP, this is not. */
export function randomToken(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

interface RequestToken {
  tokenFor: (request: object) => string;
  renew: () => void;
  /** Sends a request with its token's header, which the next one has too if this one is not answered. */
  once: <T>(request: object, send: (headers: Record<string, string>) => Promise<T>) => Promise<T>;
}

/** The same text for the same members, in whatever order they were put together. */
export function sortedText(request: object): string {
  return JSON.stringify(request, (_, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

/** One Idempotency-Key for each request: the same body sent again after a lost answer makes no second record. */
export function useRequestToken(): RequestToken {
  const last = useRef<{ request: string; token: string } | null>(null);
  const tokenFor = (request: object) => {
    const text = sortedText(request);
    if (last.current?.request !== text) last.current = { request: text, token: randomToken() };
    return last.current.token;
  };
  const renew = () => {
    last.current = null;
  };
  return {
    tokenFor,
    renew,
    once: async (request, send) => {
      const answer = await send({ "Idempotency-Key": tokenFor(request) });
      renew();
      return answer;
    },
  };
}
