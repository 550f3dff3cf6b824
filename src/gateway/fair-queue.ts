/** A queue for something that serves one at a time: owners take turns, however much each one has waiting. */
export class FairQueue<T> {
  private readonly waiting = new Map<string, Own<T>>();
  private count = 0;

  get size(): number {
    return this.count;
  }

  sizeOf(owner: string): number {
    const own = this.waiting.get(owner);
    return own === undefined ? 0 : own.items.length - own.taken;
  }

  push(owner: string, item: T): void {
    const own = this.waiting.get(owner);
    if (own === undefined) this.waiting.set(owner, { items: [item], taken: 0 });
    else own.items.push(item);
    this.count += 1;
  }

  /** The oldest item of the owner who was served least recently. @param may whether an owner can be served now */
  shift(may: (owner: string) => boolean = () => true): T | undefined {
    for (const [owner, own] of this.waiting) {
      if (!may(owner)) continue;
      const item = take(own);
      this.waiting.delete(owner);
      if (own.taken < own.items.length) this.waiting.set(owner, own);
      this.count -= 1;
      return item;
    }
    return undefined;
  }

  /** Takes one item out, which costs the least where it is its owner's oldest. */
  remove(owner: string, item: T): void {
    const own = this.waiting.get(owner);
    const at = own?.items.indexOf(item, own.taken) ?? -1;
    if (own === undefined || at === -1) return;
    if (at === own.taken) take(own);
    else own.items.splice(at, 1);
    if (own.taken >= own.items.length) this.waiting.delete(owner);
    this.count -= 1;
  }
}

/** What one owner has waiting, behind what was taken already: to shift a long array moves all of it each time. */
interface Own<T> {
  items: (T | undefined)[];
  taken: number;
}

/** Taken items that are kept until they are half of all. */
const mostTaken = 64;

function take<T>(own: Own<T>): T | undefined {
  const item = own.items[own.taken];
  own.items[own.taken] = undefined;
  own.taken += 1;
  if (own.taken >= mostTaken && own.taken * 2 >= own.items.length) {
    own.items = own.items.slice(own.taken);
    own.taken = 0;
  }
  return item;
}
