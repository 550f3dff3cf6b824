import { type ErrorType, errorStatus } from "#contract/errors.ts";

/** Failures caused by the request: they say nothing about the provider that reported them. */
export const requestFaults: ReadonlySet<string> = new Set([
  "invalid_request",
  "context_length",
  "content_policy",
  "payload_too_large",
]);

/** The statuses of calls with such a fault, and of calls refused for lack of money. */
const callersTypes: readonly ErrorType[] = [
  "invalid_request",
  "context_length_exceeded",
  "content_policy_violation",
  "payload_too_large",
  "unprocessable",
  "payment_required",
];
const callersStatuses = [...new Set(callersTypes.map((type) => errorStatus[type]))].join(", ");

/** The same rule for ledger rows, in SQL. A caller who left (499) is not the provider's fault. */
export const isProviderFault = `status >= 400 and status <> 499 and not cancelled and status not in (${callersStatuses})`;
