/** Whose calls, of what. */
interface Asked {
  readonly workspaceId: string;
  readonly provider: string;
  readonly model: string;
}

/**
 * How a vendor's counts compare with the gateway's upper bound. A vendor that counts more than one token per byte is
 * wrong or counts differently; reservations for the workspace's later calls then grow by the same factor, for an hour
 * after it last did so.
 */
export interface Calibration {
  /** the factor for the bound; null: no recent answer of this model */
  factor(asked: Asked, at: Date): number | null;
  observe(asked: Asked, counted: number, bound: number, at: Date): void;
}

interface Seen {
  /** the hour of the first figure; the second is for the hour before */
  readonly hour: number;
  readonly most: number;
  readonly before: number | null;
}

const hourMs = 3_600_000;
/** Beyond that, the oldest observations are forgotten: the next call reserves as much as a first one. */
const mostSeen = 10_000;

export function createCalibration(): Calibration {
  const seen = new Map<string, Seen>();
  const keyOf = ({ workspaceId, provider, model }: Asked) => `${workspaceId}/${provider}/${model}`;
  const hourOf = (at: Date) => Math.floor(at.getTime() / hourMs);
  const lately = (known: Seen | undefined, hour: number) => {
    if (known === undefined || known.hour < hour - 1) return { most: null, before: null };
    return known.hour < hour ? { most: null, before: known.most } : { most: known.most, before: known.before };
  };
  return {
    factor(asked, at) {
      const { most, before } = lately(seen.get(keyOf(asked)), hourOf(at));
      return most === null && before === null ? null : Math.max(most ?? 1, before ?? 1);
    },
    observe(asked, counted, bound, at) {
      const key = keyOf(asked);
      const hour = hourOf(at);
      const { most, before } = lately(seen.get(key), hour);
      seen.delete(key);
      seen.set(key, { hour, most: Math.max(most ?? 1, bound > 0 ? counted / bound : 1), before });
      const [oldest] = seen.keys();
      if (seen.size > mostSeen && oldest !== undefined) seen.delete(oldest);
    },
  };
}
