interface Failed {
  /** the HTTP status of the destination's answer; null: none came */
  status: number | null;
  message: string;
}

/**
 * What an answer's status means for the person who has to fix it, without a full stop: the same words in the list of
 * destinations, in the editor, for one traced call and for what needs attention.
 */
export function deliveryFailure({ status, message }: Failed): string {
  if (status === null) return message.slice(0, 1).toUpperCase() + message.slice(1).replace(/\.$/, "");
  if (status === 401 || status === 403) return "The destination refuses the gateway's credential. Check the secrets";
  if (status === 404 || status === 405) return "The destination accepts nothing at this address. Check the address";
  if (status === 413) return "The destination refuses an event because it is too large";
  if (status === 429) return "The destination asks the gateway to slow down";
  if (status === 503) return "The destination is not accepting events at the moment";
  if (status >= 500) return "The destination has an internal problem";
  if (status >= 300 && status < 400) return "The destination moved to another address. Check the address";
  return "The destination refuses an event";
}
