/**
 * How a vendor's counts compare with the gateway's upper bound. A vendor that counts more than a token for each byte is
 * wrong or has a way of its own; the reservations of later calls are then as much larger.
 */
export interface Calibration {
  /** how often the bound has to be taken; null: no answer of this model was seen yet */
  factor(provider: string, model: string): number | null;
  observe(provider: string, model: string, counted: number, bound: number): void;
}

export function createCalibration(): Calibration {
  const factors = new Map<string, number>();
  return {
    factor: (provider, model) => factors.get(`${provider}/${model}`) ?? null,
    observe(provider, model, counted, bound) {
      const key = `${provider}/${model}`;
      factors.set(key, Math.max(factors.get(key) ?? 1, bound > 0 ? counted / bound : 1));
    },
  };
}
