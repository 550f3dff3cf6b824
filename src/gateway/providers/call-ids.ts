import { createHash } from "node:crypto";

/**
 * The id of a call in the form that a vendor takes, where it refuses others: the call's own, or nine letters and digits
 * derived from it, which are the same for the call and for its result.
 */
export function callIdIn(form: RegExp, id: string): string {
  if (form.test(id)) return id;
  const hash = createHash("sha256").update(id).digest("base64");
  return hash.replaceAll(/[^A-Za-z0-9]/g, "").slice(0, 9);
}

/** The ids of a conversation's calls for a vendor that refuses an id that it has seen before; some vendors use theirs again. */
export class UniqueCallIds {
  private readonly used = new Set<string>();
  /** the caller's id → those of the latest message's calls that have no result yet, the last one at least */
  private readonly open = new Map<string, string[]>();
  private readonly form: RegExp;

  constructor(form: RegExp) {
    this.form = form;
  }

  /** The ids of one message's calls, in their order. */
  ofCalls(ids: readonly string[]): string[] {
    for (const id of ids) this.open.delete(id);
    return ids.map((id) => {
      const unique = this.unused(id);
      this.open.set(id, [...(this.open.get(id) ?? []), unique]);
      return unique;
    });
  }

  /** The id of the call that a result answers. */
  ofResult(id: string): string {
    const open = this.open.get(id) ?? [];
    return (open.length > 1 ? open.shift() : open[0]) ?? callIdIn(this.form, id);
  }

  private unused(id: string): string {
    let unique = callIdIn(this.form, id);
    // The caller's id is not in the form that is tried, so a new one is derived.
    for (let use = 2; this.used.has(unique); use += 1) unique = callIdIn(this.form, `${id}#${use}`);
    this.used.add(unique);
    return unique;
  }
}
