/** True in `npm run test:long`, which proves at length what `npm test` proves once. */
export const isLong = process.env["GATEHOUSE_TEST_LONG"] === "1";

/** How often a test kills, freezes or stops what it tests: three times, or as often as it says in the long run. */
export function rounds(inLongRun: number): number {
  return isLong ? inLongRun : 3;
}
