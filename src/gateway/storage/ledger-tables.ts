/** What has been spent, in nano-dollars: all of it, and that of the UTC periods in which the row was last written. */
export interface SpendsTable {
  id: string;
  total: bigint;
  day: bigint;
  week: bigint;
  month: bigint;
  byok_total: bigint;
  byok_day: bigint;
  byok_week: bigint;
  byok_month: bigint;
  day_start: Date;
  week_start: Date;
  month_start: Date;
  reserved: bigint;
}

export interface LedgerTables {
  spends: SpendsTable;
}
