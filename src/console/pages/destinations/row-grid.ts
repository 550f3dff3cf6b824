/** The columns of the destinations' rows and of their head. Under 1024 px a row wraps instead. */
export const rowGrid =
  "grid items-center gap-x-[18px] px-8 max-md:px-4 grid-cols-[28px_minmax(130px,1fr)_148px_142px_130px_146px_104px_64px_28px] " +
  "max-lg:grid-cols-[28px_minmax(0,1fr)_auto_28px]";
