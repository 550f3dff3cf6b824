const parts = /^(?<scheme>[a-z][a-z\d+.-]*:\/\/)?(?:[^/?#]*@)?(?<host>[^/?#]*)(?<rest>.*)$/isu;

/**
 * An address without what may be a credential, for the audit log and whatever else is stored in the clear: webhooks have
 * tokens in their path or query (Slack's and Discord's do), so only the scheme and the host are left.
 */
export function shownAddress(address: string): string {
  const { scheme = "", host = "", rest = "" } = parts.exec(address)?.groups ?? {};
  return rest.length > 1 ? `${scheme}${host}/…` : `${scheme}${host}${rest}`;
}

/** An address before and after a change; where the difference is in what is left out, the second one says so. */
export function shownChange<T extends string | null | undefined>(before: T, after: T): [T, T] {
  const [one, other] = [before, after].map((address) => (address == null ? address : shownAddress(address))) as [T, T];
  const isHidden = one != null && one === other && before !== after;
  return [one, isHidden ? (`${other} (changed)` as T) : other];
}
