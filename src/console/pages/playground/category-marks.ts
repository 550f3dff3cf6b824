/** A color of the eight and a shape of the eight, both from 0. */
export interface Mark {
  colour: number;
  shape: number;
}

const pairs = Array.from({ length: 64 }, (_, at) => ({ colour: at % 8, shape: (at + Math.floor(at / 8)) % 8 }));
const grey = 7;

/** What has no label among labeled rows: a gray dot, which no label is given. */
export const unlabelled: Mark = { colour: grey, shape: 0 };
/** Every label past the pairs that there are: a gray square. */
export const other: Mark = { colour: grey, shape: 1 };

/** The first eight differ in both color and shape, the next in how the two are paired; no pair comes twice. */
const marks: readonly Mark[] = pairs.filter(({ colour, shape }) => colour !== grey || shape > 1);

/** As many labels can be told apart. */
export const mostMarks = marks.length;

/** The mark of a label, by its place among the labels; -1 is none. */
export function markOf(place: number): Mark {
  return place < 0 ? unlabelled : (marks[place] ?? other);
}
