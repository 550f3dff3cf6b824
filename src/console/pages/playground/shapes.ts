/** Circle, square, triangle, diamond, inverted triangle, cross, star, ring: around 0, in a box of 10. */
export const shapePaths = [
  "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0Z",
  "M-3.5 -3.5h7v7h-7Z",
  "M0 -4.5L4.5 3.5H-4.5Z",
  "M0 -5L5 0L0 5L-5 0Z",
  "M0 4.5L4.5 -3.5H-4.5Z",
  "M-1.5 -4.5h3v3h3v3h-3v3h-3v-3h-3v-3h3Z",
  "M0 -5L1.4 -1.6L5 -1.5L2.2 .8L3.1 4.3L0 2.3L-3.1 4.3L-2.2 .8L-5 -1.5L-1.4 -1.6Z",
  "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0ZM-2.5 0a2.5 2.5 0 1 1 5 0a2.5 2.5 0 1 1 -5 0Z",
];

/** The question's mark on the map, around 0: a diamond larger than a row's. */
export const questionPath = "M0-9L7 0L0 9L-7 0Z";
