/** All values again after the first was taken, to see whether there is one. Leaving them leaves the rest. */
export async function* fromFirst<T>(first: T, rest: AsyncGenerator<T, void, void>): AsyncGenerator<T, void, void> {
  try {
    yield first;
    yield* rest;
  } finally {
    await rest.return();
  }
}
