import { readFileSync } from "node:fs";

/** The text of a file in fixtures/: what documentation or a recording has, byte for byte. */
export const fixture = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url), "utf8");

/** The events of a stream in fixtures/, each with the empty line that ends it. */
export const fixtureEvents = (name: string): readonly string[] => fixture(name).match(/[^]+?\n\n/g) ?? [];
