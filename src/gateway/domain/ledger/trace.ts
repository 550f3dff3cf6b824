/** What a caller says about the larger task that a call belongs to. */
export type Trace = Readonly<Record<string, unknown>>;

const largestTrace = 4_000;

/** The caller's trace, unless it is too large or holds what PostgreSQL's jsonb cannot. */
export function storedTrace(trace: Trace): Trace | undefined {
  if (isLonger(trace, largestTrace)) return undefined;
  const json = JSON.stringify(trace);
  return json.length > largestTrace || /\\u(0000|d[89a-f])/.test(json) ? undefined : trace;
}

/** Whether a value's JSON is certainly longer than this; serializing 30 MB to find out would block the thread. */
function isLonger(value: unknown, most: number): boolean {
  let left = most;
  const exceeds = (each: unknown): boolean => {
    left -= typeof each === "string" ? each.length : 1;
    return left < 0 || (typeof each === "object" && each !== null && Object.values(each).some(exceeds));
  };
  return exceeds(value);
}
