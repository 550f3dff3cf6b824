/** What may be said of an error in a log: its message can quote what a caller or a provider sent. */
export const errorName = (error: unknown): string => (error instanceof Error ? error.name : "unknown");
