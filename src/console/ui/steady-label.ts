/** For a label that is set bold where it is chosen, with the same words as `data-label`: as wide as bold either way. */
export const steadyLabel =
  "grid after:invisible after:h-0 after:overflow-hidden after:font-semibold after:content-[attr(data-label)]";
