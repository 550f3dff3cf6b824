import { randomBytes, randomUUID } from "node:crypto";
import { link, mkdir, readFile, rename, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Store } from "../../storage/store.ts";
import { createSecretBox, type SecretBox, WrongSecretKey } from "./box.ts";

/** The file of generated keys in the data folder: one per line, newest first. */
const fileName = "secret.key";

/**
 * The box for this data folder. The given key seals; keys in the folder's file still open what they sealed,
 * so setting GATEHOUSE_SECRET_KEY later loses nothing. Without a given key the file is made (0600) on first use.
 */
export async function openSecretBox(given: string | null, folder: string): Promise<SecretBox> {
  const kept = await readKeys(folder);
  const [first, ...rest] = given === null ? kept : [given, ...kept];
  return createSecretBox([first ?? (await generate(folder)), ...rest]);
}

async function readKeys(folder: string): Promise<string[]> {
  try {
    const text = await readFile(join(folder, fileName), "utf8");
    return text.split("\n").filter((line) => line.trim().length >= 32);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** Creates the file atomically, by a link: of processes that start at once one wins, and none reads half a key. */
async function generate(folder: string): Promise<string> {
  const secret = randomBytes(32).toString("base64url");
  const [file, draft] = [join(folder, fileName), join(folder, `${fileName}.${randomUUID()}`)];
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(draft, `${secret}\n`, { mode: 0o600, flush: true });
  try {
    await link(draft, file);
    return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const [theirs] = await readKeys(folder);
    if (theirs === undefined) throw new Error(`${file} holds no key of 32 characters or more`, { cause: error });
    return theirs;
  } finally {
    await unlink(draft);
  }
}

/**
 * Puts a new key before those in the folder's file: it seals from the next start on, and the others still open. The
 * file is replaced atomically, so that no key is ever lost.
 */
export async function addSecretKey(folder: string): Promise<void> {
  const keys = [randomBytes(32).toString("base64url"), ...(await readKeys(folder))];
  const draft = join(folder, `${fileName}.${randomUUID()}`);
  await writeFile(draft, `${keys.join("\n")}\n`, { mode: 0o600, flush: true });
  await rename(draft, join(folder, fileName));
}

const check = { name: "secret_check", place: "instance:secret_check", text: "gatehouse" };

/**
 * Refuses a store whose secrets were sealed by an unknown key: this is found at startup, not at the first call that
 * needs one.
 */
export async function verifySecretBox(store: Store, box: SecretBox): Promise<void> {
  const fresh = box.seal(check.text, check.place);
  await store.db
    .insertInto("instance")
    .values({ name: check.name, value: fresh })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { value } = await store.db
    .selectFrom("instance")
    .select("value")
    .where("name", "=", check.name)
    .executeTakeFirstOrThrow();
  try {
    box.open(value, check.place);
  } catch {
    throw new WrongSecretKey(
      "The secrets in this store were encrypted with another key. Set GATEHOUSE_SECRET_KEY to the key that was in use " +
        `before, or restore the file ${fileName} of the data folder.`,
    );
  }
  if (!box.isOutdated(value)) return;
  await store.db.updateTable("instance").set({ value: fresh }).where("name", "=", check.name).execute();
}
