/**
 * For a vendor's call: aborts some time after its caller has left. The vendor's work meanwhile is billed, so its usage
 * is waited for, but not forever.
 */
export function afterLeaving(caller: AbortSignal, patienceMs: number): AbortSignal {
  const vendor = new AbortController();
  const leave = () => void setTimeout(() => vendor.abort(caller.reason), patienceMs).unref();
  if (caller.aborted) leave();
  else caller.addEventListener("abort", leave, { once: true });
  return vendor.signal;
}
