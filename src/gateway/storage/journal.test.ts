import { execFileSync } from "node:child_process";
import { copyFile, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Journal, openJournal } from "./journal.ts";

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), "gatehouse-journal-"))));
afterEach(async () => {
  for (const journal of begun.splice(0)) await journal.close();
  await rm(folder, { recursive: true, force: true });
});
const begun: Journal[] = [];

const first = () => join(folder, "journal-a");
const second = () => join(folder, "journal-b");
const bytesOf = async (path: string) => (await stat(path)).size;

async function opened() {
  const journal = await openJournal(folder);
  await journal.begin();
  begun.push(journal);
  return journal;
}

/** What a start finds after the process was killed: nothing closed the journal. */
const tail = async () => (await openJournal(folder)).tail;

async function threeLines(): Promise<Buffer> {
  const journal = await opened();
  for (const entry of ["1", '{"text":"two\\nlines, ü"}', "3"]) await journal.append(entry);
  return await readFile(first());
}

describe("the journal", () => {
  it("is text: a line that names the format, and one for each append, with its checksum", async () => {
    expect((await threeLines()).toString()).toBe(
      [
        "4403a231 gatehouse-journal 1 1\n",
        "4c2f32b8 [1]\n",
        '6e0dfca6 [{"text":"two\\nlines, ü"}]\n',
        "7e19503a [3]\n",
      ].join(""),
    );
  });

  it("finds what a killed process appended, in its order, and is empty after a clean stop", async () => {
    const journal = await opened();
    const appended = await Promise.all(Array.from({ length: 100 }, (_, index) => journal.append(String(index))));
    expect(await tail()).toEqual(Array.from({ length: 100 }, (_, index) => index));
    for (const each of appended) each?.folded();
    await journal.close();
    expect(await tail()).toEqual([]);
  });

  it("writes what arrives during a write together", async () => {
    const journal = await opened();
    await Promise.all(["1", "2", "3", "4"].map((entry) => journal.append(entry)));
    expect((await readFile(first(), "utf8")).split("\n").map((line) => line.slice(9))).toEqual([
      "gatehouse-journal 1 1",
      "[1]",
      "[2,3,4]",
      "",
    ]);
  });

  it("keeps what was not folded at a stop, and what nothing has folded since", async () => {
    const journal = await opened();
    await journal.append("1");
    await journal.close();
    expect(await tail()).toEqual([1]);
    await (await openJournal(folder)).close();
    expect(await tail()).toEqual([1]);
    expect(await (await openJournal(folder)).append("2")).toBeNull();
    expect(await tail()).toEqual([1]);
  });

  it("drops a last line that is torn, wherever", async () => {
    const whole = await threeLines();
    const ends = [...whole.entries()].filter(([, byte]) => byte === 10).map(([index]) => index + 1);
    for (let length = 0; length < whole.length; length += 1) {
      await writeFile(first(), whole.subarray(0, length));
      const lines = ends.filter((end) => end <= length).length;
      expect((await tail()).length).toBe(Math.max(0, lines - 1));
    }
    const zeros = Buffer.from(whole);
    zeros.fill(0, whole.length - 8, whole.length - 1);
    await writeFile(first(), zeros);
    expect((await tail()).length).toBe(2);
  });

  it("says which line before the last is damaged, whatever byte of it", async () => {
    const whole = await threeLines();
    const [, , position = 0] = [...whole.entries()].filter(([, byte]) => byte === 10).map(([index]) => index + 1);
    for (let at = 0; at < position - 1; at += 1) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      await writeFile(first(), damaged);
      await expect(openJournal(folder)).rejects.toThrow(/is damaged in line [123], at byte \d+.*delete it/);
    }
    const damaged = Buffer.from(whole);
    damaged[whole.indexOf("two")] = 0;
    await writeFile(first(), damaged);
    await expect(openJournal(folder)).rejects.toThrow("is damaged in line 3, at byte 44");
  });

  it("refuses the journal of a later version", async () => {
    await writeFile(first(), "46451c68 gatehouse-journal 2 1\n");
    await expect(openJournal(folder)).rejects.toThrow("by a later version of Gatehouse");
  });

  it("fills its two files in turn, and each only once what was in it is folded", async () => {
    const journal = await opened();
    const entry = JSON.stringify("x".repeat(500_000));
    const append = async (count: number) => {
      const appended = [await journal.append(entry)];
      for (let index = 1; index < count; index += 1) appended.push(await journal.append(entry));
      return () => appended.forEach((each) => each?.folded());
    };
    const foldFirst = await append(5);
    expect(await bytesOf(second())).toBe(500_000 + 14 + 31);
    const foldSecond = await append(9);
    // The first one still has what is not in the tables.
    expect(await bytesOf(second())).toBeGreaterThan(4_500_000);
    expect((await tail()).length).toBe(14);
    foldFirst();
    await append(1);
    expect(await bytesOf(first())).toBe(500_000 + 14 + 31);
    expect((await tail()).length).toBe(11);
    foldSecond();
    // Damage at the end of the older file is not a torn append.
    await copyFile(second(), first());
    await writeFile(second(), "4ad82a03 gatehouse-journal 1 9\n4c2f32b8 [1]\n");
    const whole = await readFile(first());
    await writeFile(first(), whole.subarray(0, -5));
    await expect(tail()).rejects.toThrow("is damaged in line");
  });

  it("asks for a fold only while something is not in the tables", async () => {
    const journal = await opened();
    let asked = 0;
    journal.foldBy(async () => void (asked += 1));
    await journal.folded();
    const appended = await journal.append("1");
    await journal.folded();
    appended?.folded();
    await journal.folded();
    expect(asked).toBe(1);
  });

  it("says that an entry is not durable when the disk takes no more, and keeps what it had", () => {
    const program = `
      const { openJournal } = await import(${JSON.stringify(import.meta.resolve("./journal.ts"))});
      const journal = await openJournal(${JSON.stringify(folder)});
      await journal.begin();
      const sizes = [100, 900, 1, 1, 1];
      const appended = [];
      for (const size of sizes) appended.push((await journal.append(JSON.stringify("x".repeat(size)))) !== null);
      const { tail } = await openJournal(${JSON.stringify(folder)});
      const { code } = await journal.failure;
      console.log(JSON.stringify({ appended, lengths: tail.map((entry) => entry.length), code }));`;
    // Blocks of 512 or 1,024 bytes, depending on the shell: the second append is torn by either.
    const printed = execFileSync("sh", [
      "-c",
      'ulimit -f 1; exec "$0" --input-type=module -e "$1"',
      process.execPath,
      program,
    ]);
    expect(JSON.parse(printed.toString())).toEqual({
      appended: [true, false, false, false, false],
      lengths: [100],
      code: "EFBIG",
    });
  });
});
