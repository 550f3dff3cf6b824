export interface Bar {
  /** The bar's full name: "Wed 18 Nov, 02:00 UTC". */
  label: string;
  value: number;
  /** Further parts on top, from below to above; every bar has as many. */
  more?: readonly number[] | undefined;
  /** Calls that were refused, hatched: on top where the bars count calls, else above the chart on a scale of their own. */
  refused?: number | undefined;
  /** Written under the bar, with a hairline: the start of a day. */
  tick?: string | undefined;
  /** The tick where limits reset, in accent. */
  resets?: boolean | undefined;
}
