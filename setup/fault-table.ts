/** A mistake that somebody could make. */
export interface Fault {
  readonly room: "ledger" | "routing" | "relay" | "forwarding" | "http" | "console";
  readonly file: string;
  /** a text that the file has once, and what stands there instead */
  readonly from: string;
  readonly to: string;
  readonly what: string;
}

const ledger = "src/gateway/domain/ledger";
const routing = "src/gateway/domain/routing";
const relay = "src/gateway/relay";
const forwarding = "src/gateway/forwarding";
const http = "src/gateway/http";
const pages = "src/console/pages";

/** Six in each of six rooms: a sign turned, a check left out, a wrong status, a lost `await`. */
export const faults: readonly Fault[] = [
  {
    room: "ledger",
    file: `${ledger}/limits.ts`,
    from: "settings.limit - spentTowardLimit(",
    to: "settings.limit + spentTowardLimit(",
    what: "what was spent is added to what is left",
  },
  {
    room: "ledger",
    file: `${ledger}/limits.ts`,
    from: "own + overrun + (includeByok ? byok + byokOverrun : 0n)",
    to: "own + overrun + (includeByok ? 0n : byok + byokOverrun)",
    what: "the caller's own provider keys count toward the wrong limits",
  },
  {
    room: "ledger",
    file: `${ledger}/price.ts`,
    from: "return (atto + attoPerNano - 1n) / attoPerNano;",
    to: "return atto / attoPerNano;",
    what: "a cost is rounded down",
  },
  {
    room: "ledger",
    file: `${ledger}/reservations.ts`,
    from: "if (!open.delete(reservation)) return;",
    to: "open.delete(reservation);",
    what: "a reservation is released twice",
  },
  {
    room: "ledger",
    file: `${ledger}/reservations.ts`,
    from: "await setAside(reservation, demand, reservePatienceMs);",
    to: "void setAside(reservation, demand, reservePatienceMs);",
    what: "a call goes on before its money is set aside",
  },
  {
    room: "ledger",
    file: `${ledger}/fold.ts`,
    from: "return other === -1 ? group : group.slice(0, other);",
    to: "return group;",
    what: "calls of two hours are folded as of one",
  },
  {
    room: "routing",
    file: `${routing}/exclusion.ts`,
    from: 'preferences.data_collection === "deny" && provider.dataCollection !== "deny"',
    to: 'preferences.data_collection === "deny" && provider.dataCollection === "deny"',
    what: "providers that collect data serve those who deny it",
  },
  {
    room: "routing",
    file: `${routing}/exclusion.ts`,
    from: "promptTokens > model.contextLength",
    to: "promptTokens < model.contextLength",
    what: "short prompts are too long",
  },
  {
    room: "routing",
    file: `${routing}/order.ts`,
    from: 'Number(health.state === "down")',
    to: 'Number(health.state === "up")',
    what: "failing providers are tried first",
  },
  {
    room: "routing",
    file: `${routing}/order.ts`,
    from: "return index === -1 ? order.length : index;",
    to: "return index;",
    what: "providers that order does not name come first",
  },
  {
    room: "routing",
    file: `${routing}/circuit.ts`,
    from: "failures < failuresToOpen",
    to: "failures <= failuresToOpen",
    what: "a circuit opens one failure late",
  },
  {
    room: "routing",
    file: `${routing}/circuit.ts`,
    from: 'if (outcome.type === "neutral") return { ...circuit, probingSince: null };',
    to: 'if (outcome.type === "neutral") return closed;',
    what: "a caller's mistake closes a circuit",
  },
  {
    room: "relay",
    file: `${relay}/attempts.ts`,
    from: "if (!failed.retryable && failed.status !== null)",
    to: "if (failed.retryable && failed.status !== null)",
    what: "the next provider is skipped after a failure that it could mend",
  },
  {
    room: "relay",
    file: `${relay}/settle-call.ts`,
    from: "cost: unanswered.own + (byok ? 0n : cost),",
    to: "cost: unanswered.own + (byok ? cost : 0n),",
    what: "calls with the caller's own provider key are charged, and others are not",
  },
  {
    room: "relay",
    file: `${relay}/whole-answer.ts`,
    from: "if (status !== 200) {",
    to: "if (status >= 500) {",
    what: "a vendor's 4xx is read as an answer",
  },
  {
    room: "relay",
    file: `${relay}/reserve.ts`,
    from: "if (!settings.refuseUnpriced) return candidates;",
    to: "return candidates;",
    what: "calls without a price pass limits",
  },
  {
    room: "relay",
    file: `${relay}/chat/settle.ts`,
    from: "return cacheWriteTokens <= written ? used",
    to: "return cacheWriteTokens >= written ? used",
    what: "cached tokens are charged twice",
  },
  {
    room: "relay",
    file: `${relay}/chat/whole.ts`,
    from: "await settled.settlement.committed;",
    to: "void settled.settlement.committed;",
    what: "an answer leaves before it is durable",
  },
  {
    room: "forwarding",
    file: `${forwarding}/backoff.ts`,
    from: "most * (0.5 + random / 2)",
    to: "most * (0.5 - random / 2)",
    what: "the wait after a failure may be none",
  },
  {
    room: "forwarding",
    file: `${forwarding}/bisect.ts`,
    from: "pieces.push(open.slice(middle), open.slice(0, middle));",
    to: "pieces.push(open.slice(0, middle), open.slice(middle));",
    what: "the later half of a batch is sent first",
  },
  {
    room: "forwarding",
    file: `${forwarding}/bisect.ts`,
    from: "if (suspects.length >= mostInARow) return stop(outcome);",
    to: "",
    what: "a destination that rejects everything is taken for one that rejects some events",
  },
  {
    room: "forwarding",
    file: `${forwarding}/deliver-page.ts`,
    from: "batch.length >= most.events || bytes + size > most.bytes",
    to: "batch.length >= most.events",
    what: "a request may be larger than its destination takes",
  },
  {
    room: "forwarding",
    file: `${forwarding}/progress-recorder.ts`,
    from: "const recorded = recording.then(() => (progress.length === 0 ? new Set<string>() : record(progress)));",
    to: "const recorded = Promise.resolve(progress.length === 0 ? new Set<string>() : record(progress));",
    what: "an older record of progress may be written last",
  },
  {
    room: "forwarding",
    file: `${forwarding}/delivery.ts`,
    from: "await running;",
    to: "void running;",
    what: "a delivery that is ended does not wait for the request under way",
  },
  {
    room: "http",
    file: `${http}/auth.ts`,
    from: 'if (endpoint.auth === "management" && actor.kind !== "management") {',
    to: 'if (endpoint.auth === "management" && actor.kind === "system") {',
    what: "ordinary keys may administer",
  },
  {
    room: "http",
    file: `${http}/auth.ts`,
    from: "if (Buffer.isBuffer(request.body)) await check(request);",
    to: "",
    what: "a key that was deleted while its body came may still call",
  },
  {
    room: "http",
    file: `${http}/csrf.ts`,
    from: 'if (typeof token !== "string" || !sameText(token, session.csrfToken)) {',
    to: 'if (typeof token !== "string") {',
    what: "any CSRF token will do",
  },
  {
    room: "http",
    file: `${http}/version.ts`,
    from: "if (!entityTags.test(header)) {",
    to: "if (entityTags.test(header)) {",
    what: "well-formed If-Match headers are refused",
  },
  {
    room: "http",
    file: `${http}/parse.ts`,
    from: "await refuseUnstorable({ params: raw.params, query: raw.query }, turn);",
    to: "",
    what: "text that the store cannot hold reaches it, and is a 500",
  },
  {
    room: "http",
    file: `${http}/host-check.ts`,
    from: 'name === "localhost" || name.endsWith(".localhost")',
    to: 'name.includes("localhost")',
    what: "a foreign host name with localhost in it passes",
  },
  {
    room: "console",
    file: "src/console/form/usd.ts",
    from: "if (usd > 1_000_000_000)",
    to: "if (usd < 1_000_000_000)",
    what: "ordinary amounts are too large",
  },
  {
    room: "console",
    file: `${pages}/keys/limit-left.ts`,
    from: "Math.floor(Number((usd / unit)",
    to: "Math.ceil(Number((usd / unit)",
    what: "what is left of a limit is rounded up",
  },
  {
    room: "console",
    file: `${pages}/keys/reveal-state.ts`,
    from: "if (isTaken(state)) return { ...state, closed: true };",
    to: "return { ...state, closed: true };",
    what: "the one-time dialog closes without asking",
  },
  {
    room: "console",
    file: "src/console/api/call.ts",
    from: "if (response.status === 401 && endpoint.name !== createSession.name) endSession(sentWith);",
    to: "",
    what: "a session that ended leaves the page as it is",
  },
  {
    room: "console",
    file: "src/console/api/action.ts",
    from: "void refreshAfter(client, endpoint);",
    to: "",
    what: "a change does not show in the lists that it concerns",
  },
  {
    room: "console",
    file: "src/console/form/submission.ts",
    from: "await send();",
    to: "void send();",
    what: "a form that was refused is taken for saved",
  },
];
