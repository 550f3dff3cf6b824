/**
 * The columns of the destinations' rows and of their head, by the width of the list: the window's says nothing of it
 * next to the sidebar. Below 1100 px a row wraps instead.
 */
export const rowGrid =
  "grid items-center gap-x-[18px] px-8 max-md:px-4 grid-cols-[28px_minmax(130px,1fr)_148px_142px_130px_146px_104px_64px_28px] " +
  "@max-[1100px]:grid-cols-[28px_minmax(0,1fr)_auto_28px]";
