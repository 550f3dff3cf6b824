/** The look of a plain table: ruled lines from the wall to the edge of the window. For tables that need no windowing. */
export const ledger = {
  scroll: "relative overflow-x-auto",
  table: "w-full text-left text-13",
  head: "h-[30px] border-b border-line-2 px-3 text-12 font-normal whitespace-nowrap text-fg-3 first:pl-8 last:pr-8 max-md:first:pl-4 max-md:last:pr-4",
  cell: "h-10 border-b border-line px-3 py-1 first:pl-8 last:pr-8 max-md:h-12 max-md:first:pl-4 max-md:last:pr-4",
  /** on a phone the first column stays in sight while the others scroll under it */
  fixed:
    "max-md:sticky max-md:left-0 max-md:z-1 max-md:max-w-[174px] max-md:min-w-[174px] max-md:border-r max-md:border-line-2 max-md:bg-bg-1",
  figures: "text-right whitespace-nowrap tabular-nums",
} as const;
