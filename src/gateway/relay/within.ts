/** Null when it takes longer. Its later failure is of no interest. */
export async function within<T>(work: Promise<T>, endsMs: number): Promise<T | null> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), Math.max(1, endsMs - performance.now()));
  try {
    work.catch(() => {});
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
