/** Models pause for less than this between two words; one that pauses for longer may be reasoning invisibly. */
const pauseMs = 500;

/**
 * How long a vendor was silent while it was waited for. Time that the caller takes for reading does not count as the
 * vendor's silence.
 */
export class Silence {
  private spoken = false;
  /** all finished silences, milliseconds */
  private past = 0;
  /** time waited since the last word, in finished waits */
  private waited = 0;
  private since: number | null;

  private readonly now: () => number;

  /** @param startedMs when waiting for the vendor began, by `now` */
  constructor(startedMs: number, now: () => number = () => performance.now()) {
    this.since = startedMs;
    this.now = now;
  }

  /** Waiting for the vendor's next event begins. */
  wait(): void {
    this.since ??= this.now();
  }

  /** @param word false: an event without output, which may well be sent while a model reasons */
  hear(word: boolean): void {
    this.waited = this.current;
    this.since = null;
    if (!word) return;
    this.past = this.ms;
    this.waited = 0;
    this.spoken = true;
  }

  /** Before the first word, all of it counts; after that, only pauses longer than those between two words. */
  get ms(): number {
    return this.past + (this.spoken && this.current < pauseMs ? 0 : this.current);
  }

  private get current(): number {
    return this.waited + (this.since === null ? 0 : this.now() - this.since);
  }
}
