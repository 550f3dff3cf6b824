/** The code units of marks in a row that count; no writing system has as many (UAX #15 §13, Stream-Safe Text Format). */
const mostMarks = 30;
/** With the half-width voiced sound marks, which become marks. */
const marks = /[\p{M}\uff9e\uff9f]+/gu;

/**
 * The text in Unicode's form NFKC, in time that is in proportion to its length: sorting the marks of one letter takes
 * the square of their number, so that what is beyond any writing is left out before.
 */
export function normalize(text: string): string {
  return text.replace(marks, (run) => (run.length > mostMarks ? run.slice(0, mostMarks) : run)).normalize("NFKC");
}
