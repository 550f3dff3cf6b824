/** A queue for something that serves one at a time: owners take turns, however much each one has waiting. */
export class FairQueue<T> {
  private readonly waiting = new Map<string, T[]>();
  private count = 0;

  get size(): number {
    return this.count;
  }

  sizeOf(owner: string): number {
    return this.waiting.get(owner)?.length ?? 0;
  }

  push(owner: string, item: T): void {
    const own = this.waiting.get(owner);
    if (own === undefined) this.waiting.set(owner, [item]);
    else own.push(item);
    this.count += 1;
  }

  /** The oldest item of the owner who was served least recently. */
  shift(): T | undefined {
    for (const [owner, own] of this.waiting) {
      const item = own.shift();
      this.waiting.delete(owner);
      if (own.length > 0) this.waiting.set(owner, own);
      this.count -= 1;
      return item;
    }
    return undefined;
  }
}
