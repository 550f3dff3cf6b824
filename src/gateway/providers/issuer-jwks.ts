import * as z from "zod/mini";
import type { Dispatcher } from "undici";
import { type IssuerJwks, IssuerKey, mostIssuerKeys } from "#contract/federation.ts";
import { call, CallFailed, readBody } from "./call.ts";

const defaultTimeoutMs = 5_000;
/** With the certificates that some issuers put beside their keys. */
const mostBytes = 262_144;
/** So many bytes can have 87,000 keys with nothing in them. */
const mostLookedAt = 500;

/**
 * Reads the public keys that an issuer of tokens publishes. Keys of kinds that are not known here are left out, as RFC
 * 7517 (section 5) asks. Failures are returned, not thrown.
 */
export async function readIssuerJwks(
  dispatcher: Dispatcher,
  url: string,
  timeoutMs = defaultTimeoutMs,
): Promise<IssuerJwks | { readonly problem: string }> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const answer = await call(
      dispatcher,
      { method: "GET", url, headers: { accept: "application/json", "user-agent": "gatehouse" }, body: null },
      { signal, headersTimeoutMs: timeoutMs, bodyTimeoutMs: timeoutMs },
    );
    if (answer.status !== 200) {
      // Destroying it emits an error event.
      answer.body.on("error", () => {}).destroy();
      return { problem: `${answer.host} answered with status ${answer.status}` };
    }
    const bytes = await readBody(answer, mostBytes, signal);
    const { keys } = z.parse(Published, JSON.parse(bytes.toString("utf8")));
    const looked = keys.slice(0, mostLookedAt);
    const known = looked.flatMap((key) => z.safeParse(IssuerKey, key).data ?? []).slice(0, mostIssuerKeys);
    return known.length > 0 ? { keys: known } : { problem: `${answer.host} publishes no key that is known here` };
  } catch (error) {
    const { host } = new URL(url);
    if (error instanceof CallFailed) return { problem: error.failure.message };
    if (signal.aborted) return { problem: `${host} did not answer in time` };
    if (error instanceof SyntaxError || error instanceof z.core.$ZodError) {
      return { problem: `${host} does not answer with a set of keys` };
    }
    throw error;
  }
}

const Published = z.object({ keys: z.array(z.unknown()) });
