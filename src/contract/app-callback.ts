/**
 * Where an app may be sent back to with a code. The gateway refuses by these rules, and the console says the same before
 * anybody signs in. Every message continues a sentence that begins with the member's name.
 */

interface ParsedUrl {
  readonly protocol: string;
  readonly username: string;
  readonly password: string;
  readonly host: string;
  readonly hostname: string;
  readonly pathname: string;
  readonly href: string;
  readonly origin: string;
  readonly searchParams: { has(name: string): boolean };
  search: string;
}

// URL is the same in Node.js and browsers; the contract is compiled with the types of neither.
declare const URL: { canParse(text: string): boolean; new (text: string): ParsedUrl };

/** An app's callback address, as it is shown and as it is called. */
export interface AppCallback {
  /** its host in ASCII, with the port unless that is the scheme's own: what the app is called */
  readonly app: string;
  /** without its query, which may hold what only the app should know */
  readonly place: string;
  /** the host is written with letters beyond ASCII, which can look like others */
  readonly isForeignScript: boolean;
  readonly href: string;
}

const mostCharacters = 2_048;
/** Names of the machine that the browser runs on, where a plain-text callback does not leave it. */
const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** The callback that a text is, or what is wrong with it. */
export function readAppCallback(text: string): AppCallback | { readonly problem: string } {
  if (text.length > mostCharacters) return { problem: `must have at most ${mostCharacters} characters` };
  if (!URL.canParse(text)) return { problem: "must be a URL, such as https://app.example.com/callback" };
  const url = new URL(text);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && loopback.has(url.hostname))) {
    return { problem: "must be an https URL, or http to localhost, 127.0.0.1 or [::1]" };
  }
  if (url.username !== "" || url.password !== "") return { problem: "must have no user and no password in it" };
  // RFC 6749 §3.1.2
  if (text.includes("#")) return { problem: "must have no fragment (#)" };
  if (url.searchParams.has("code")) return { problem: "must have no `code` of its own: the gateway adds it" };
  return {
    app: url.host,
    place: `${url.origin}${url.pathname}`,
    isForeignScript: /(^|\.)xn--/.test(url.hostname),
    href: url.href,
  };
}

/** The callback with the code behind whatever query it has. */
export function callbackWithCode(callback: AppCallback, code: string): string {
  const url = new URL(callback.href);
  url.search = url.search === "" ? `?code=${code}` : `${url.search}&code=${code}`;
  return url.href;
}

export type CodeChallengeMethod = "S256" | "plain";

/** RFC 7636: 32 bytes in base64url, and for `plain` the verifier itself, 43 to 128 unreserved characters. */
const challengeForms: Readonly<Record<CodeChallengeMethod, RegExp>> = {
  S256: /^[A-Za-z0-9_-]{43}$/,
  plain: /^[A-Za-z0-9\-._~]{43,128}$/,
};

/** What binds a code to the program that asked for it, as a request gives it. */
export interface GivenChallenge {
  readonly callback_url?: string | undefined;
  readonly code_challenge?: string | undefined;
  readonly code_challenge_method?: string | undefined;
}

/** What is wrong with a challenge, and in which member; null: nothing is. Without a method it is `plain`, as in RFC 7636. */
export function wrongChallenge({
  callback_url,
  code_challenge: challenge,
  code_challenge_method: method,
}: GivenChallenge): { readonly path: keyof GivenChallenge; readonly message: string } | null {
  if (method !== undefined && method !== "S256" && method !== "plain")
    return { path: "code_challenge_method", message: "must be S256 or plain" };
  if (challenge !== undefined) {
    const form = method ?? "plain";
    return challengeForms[form].test(challenge) ? null : { path: "code_challenge", message: challengeMessages[form] };
  }
  if (method !== undefined) return { path: "code_challenge", message: "is required with code_challenge_method" };
  return callback_url === undefined
    ? { path: "code_challenge", message: "is required where there is no callback_url" }
    : null;
}

const challengeMessages: Readonly<Record<CodeChallengeMethod, string>> = {
  S256: "must be the SHA-256 of the verifier in base64url without padding: 43 characters",
  plain: "must be the verifier: 43 to 128 letters, digits, hyphens, periods, underscores or tildes",
};
