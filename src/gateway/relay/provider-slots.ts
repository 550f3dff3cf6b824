import { createSlots, type Slots } from "../slots.ts";

/** The calls in flight at each provider. */
export interface ProviderSlots {
  of(slug: string): Slots;
  /** the half of them that calls may hold which nobody waits for; they take one of both */
  backgroundOf(slug: string): Slots;
}

/**
 * @param most calls in flight at one provider
 * @param waitMs how long a call waits where no provider of its model has room
 */
export function createProviderSlots(most: number, waitMs: number): ProviderSlots {
  const pools = (most: number) => {
    const known = new Map<string, Slots>();
    return (slug: string) => {
      const slots = known.get(slug) ?? createSlots({ most, waitMs });
      known.set(slug, slots);
      return slots;
    };
  };
  return { of: pools(most), backgroundOf: pools(Math.max(1, Math.floor(most / 2))) };
}
