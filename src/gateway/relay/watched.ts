/**
 * Passes pieces on, and calls `unread` when the caller takes longer than this to read one. The provider may be slow.
 */
export async function* watched<T>(
  pieces: AsyncGenerator<T, void, void>,
  mostMs: number,
  unread: () => void,
): AsyncGenerator<T, void, void> {
  for await (const piece of pieces) {
    const timer = setTimeout(unread, mostMs);
    try {
      yield piece;
    } finally {
      clearTimeout(timer);
    }
  }
}
