const shown = "[secret]";

/**
 * Holds a plaintext secret for as long as it is shown. React, logs and caches see the object, never the text;
 * only {@link withValue} reaches it. A JavaScript string cannot be wiped: `destroy` drops the last reference.
 */
export class Vault {
  #value: string | null;
  readonly #listeners = new Set<() => void>();

  constructor(value: string) {
    this.#value = value;
  }

  get destroyed(): boolean {
    return this.#value === null;
  }

  /** Hands the text to `use` and returns what it returns; null once destroyed. `use` must not keep the text. */
  withValue<T>(use: (value: string) => T): T | null {
    return this.#value === null ? null : use(this.#value);
  }

  destroy(): void {
    if (this.#value === null) return;
    this.#value = null;
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }

  /** Tells once, when the text goes. Returns what stops it. */
  onDestroy(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  toString(): string {
    return shown;
  }

  toJSON(): string {
    return shown;
  }

  [Symbol.toPrimitive](): string {
    return shown;
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return shown;
  }
}
