import { constants } from "node:fs";
import { type FileHandle, mkdir, open, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import { StoreUnusable, unusableFolder } from "./store-errors.ts";

/**
 * What is durable before it is in the tables: entries are appended in groups, and leave once a fold has put them there.
 *
 * Two files take turns. Each line begins with the checksum of the rest: the first one names the format and the file's place
 * in the sequence, the others are JSON arrays, one for each append. Only the very last one can be torn: an append is
 * answered before the next one begins.
 */
export interface Journal {
  /** the entries that a process left behind when it was killed, in order; some may be in the tables already */
  readonly tail: readonly unknown[];
  /** Empties the journal, whose tail is in the tables now: from here on it takes entries. */
  begin(): Promise<void>;
  /** @param flush puts what was appended before into the tables, without delay, and resolves when it is there */
  foldBy(flush: () => Promise<void>): void;
  /**
   * Resolves when the entry is durable; null: it is not, and none will be until the next start, as on a full disk.
   * @param entry JSON
   */
  append(entry: string): Promise<Appended | null>;
  /** Resolves when everything that was appended before is in the tables. */
  folded(): Promise<void>;
  /** resolves with why the first append failed, after which there is none */
  readonly failure: Promise<NodeJS.ErrnoException>;
  close(): Promise<void>;
}

/** `folded` is called once the entry is in the tables. */
interface Appended {
  folded(): void;
}

const name = "gatehouse-journal";
const version = "1";
const fileNames = ["journal-a", "journal-b"];
/** A file that has grown to this is left for the other one, if that is empty: a start reads no more than it has to. */
const mostBytes = 2_000_000;

interface JournalFile {
  readonly handle: FileHandle;
  bytes: number;
  /** entries that are not in the tables yet */
  unfolded: number;
}

/** Reads the journal in this folder. @throws StoreUnusable when it is damaged, or of a later version */
export async function openJournal(folder: string): Promise<Journal> {
  const refuse = (error: unknown): never => {
    throw error instanceof StoreUnusable ? error : unusableFolder(folder, error);
  };
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch(refuse);
  const tail = await readTail(folder).catch(refuse);
  let files: JournalFile[] = [];
  let sequence = 0;
  let failed = false;
  let writing: Promise<void> | null = null;
  let waiting: { entry: string; resolve: (appended: Appended | null) => void }[] = [];
  const failure = Promise.withResolvers<NodeJS.ErrnoException>();
  let flush = () => Promise.resolve();

  /** Moves on to the other file when this one is large and that one is not needed any more. */
  async function activeFile(): Promise<JournalFile> {
    const [active, other] = files;
    if (active === undefined || other === undefined) throw new Error("the journal was not begun");
    if (active.bytes <= mostBytes || other.unfolded > 0) return active;
    await empty(other);
    files = [other, active];
    return other;
  }

  async function write(entries: readonly string[]): Promise<JournalFile> {
    const file = await activeFile();
    const head = file.bytes === 0 ? lineOf(`${name} ${version} ${(sequence += 1)}`) : "";
    const bytes = Buffer.from(`${head}${lineOf(`[${entries.join(",")}]`)}`);
    for (let written = 0; written < bytes.length;) {
      const { bytesWritten } = await file.handle.write(bytes, written, bytes.length - written, file.bytes + written);
      written += bytesWritten;
    }
    file.bytes += bytes.length;
    file.unfolded += entries.length;
    return file;
  }

  /** After a failure the end of the file is unknown. */
  function giveUp(error: NodeJS.ErrnoException): null {
    failed = true;
    failure.resolve(error);
    return null;
  }

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      const file = failed ? null : await write(group.map(({ entry }) => entry)).catch(giveUp);
      const appended = file === null ? null : { folded: () => void (file.unfolded -= 1) };
      for (const { resolve } of group) resolve(appended);
    }
    writing = null;
  }

  return {
    tail,
    failure: failure.promise,
    async begin() {
      files = await openEmpty(folder).catch(refuse);
    },
    foldBy(given) {
      flush = given;
    },
    append: (entry) =>
      new Promise((resolve) => {
        // A run that has nothing to wait for would be over before it is kept as the one in progress, and none follow it.
        if (failed) return resolve(null);
        waiting.push({ entry, resolve });
        writing ??= run();
      }),
    async folded() {
      if (files.some(({ unfolded }) => unfolded > 0)) await flush();
    },
    async close() {
      await writing;
      for (const file of files) {
        if (file.unfolded === 0) await empty(file);
        await file.handle.close();
      }
      files = [];
    },
  };
}

async function openEmpty(folder: string): Promise<JournalFile[]> {
  const files: JournalFile[] = [];
  for (const fileName of fileNames) {
    const handle = await open(join(folder, fileName), constants.O_CREAT | constants.O_RDWR | constants.O_DSYNC, 0o600);
    const file = { handle, bytes: 0, unfolded: 0 };
    await empty(file);
    await handle.sync();
    files.push(file);
  }
  for (const path of [folder, dirname(folder)]) {
    await using entries = await open(path);
    await entries.sync();
  }
  return files;
}

async function empty(file: JournalFile): Promise<void> {
  await file.handle.truncate(0);
  file.bytes = 0;
}

function lineOf(text: string): string {
  return `${checksumOf(text)} ${text}\n`;
}

const checksumOf = (text: string | Buffer) => crc32(text).toString(16).padStart(8, "0");

const newline = 10;

interface Line {
  readonly path: string;
  readonly number: number;
  readonly position: number;
  /** without its newline */
  readonly bytes: Buffer;
  readonly ended: boolean;
}

/** The entries of both files. A last line that is not whole was never answered, and is left out. */
async function readTail(folder: string): Promise<unknown[]> {
  const files = await Promise.all(fileNames.map((fileName) => readLines(join(folder, fileName))));
  const lines = files.toSorted((one, other) => one.sequence - other.sequence).flatMap((file) => file.lines);
  return lines.flatMap((line, index) => {
    const text = textOf(line);
    if (text === null && index < lines.length - 1) throw damaged(line);
    return text === null ? [] : (JSON.parse(text) as unknown[]);
  });
}

async function readLines(path: string): Promise<{ sequence: number; lines: Line[] }> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return Buffer.alloc(0);
    throw error;
  });
  const [head, ...lines] = linesOf(path, bytes);
  const text = head === undefined ? null : textOf(head);
  // The first append to the file was cut short, or there was none.
  if (head === undefined || (text === null && lines.length === 0)) return { sequence: 0, lines: [] };
  if (text === null) throw damaged(head);
  const [, writtenBy, sequence] = text.split(" ");
  if (writtenBy === version) return { sequence: Number(sequence), lines };
  throw new StoreUnusable(
    `The journal ${path} was written by a later version of Gatehouse. Start that version instead.`,
  );
}

function linesOf(path: string, bytes: Buffer): Line[] {
  const lines: Line[] = [];
  for (let position = 0; position < bytes.length;) {
    const end = bytes.indexOf(newline, position);
    const line = bytes.subarray(position, end === -1 ? bytes.length : end);
    lines.push({ path, number: lines.length + 1, position, bytes: line, ended: end !== -1 });
    position += line.length + 1;
  }
  return lines;
}

/** null: the line is not as it was written */
function textOf({ bytes, ended }: Line): string | null {
  const text = bytes.subarray(9);
  return ended && bytes.toString("latin1", 0, 9) === `${checksumOf(text)} ` ? text.toString() : null;
}

function damaged({ path, number, position }: Line): StoreUnusable {
  return new StoreUnusable(
    `The journal ${path} is damaged in line ${number}, at byte ${position}. ` +
      "Restore a backup of the data folder. To continue without the calls of this line, delete it and start again.",
  );
}
