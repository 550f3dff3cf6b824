import { randomBytes } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { makeContext } from "../../testing/context.ts";
import { describeGateway, engine } from "../../testing/describe-gateway.ts";
import { makeWorkspace } from "../../testing/factories.ts";
import { resealContents } from "../secrets/reseal-contents.ts";
import { Refusal } from "../refusal.ts";
import { createSecretBox } from "../secrets/box.ts";
import { pieceBytes, sealedBytes } from "./encryption.ts";
import * as files from "./files.ts";
import * as uploads from "./upload.ts";

const secretKey = "a".repeat(40);
const mb = 1_000_000;
const text = (size: number) => Buffer.from(randomBytes(size / 2).toString("hex"));
/** Two pieces and a part of one. */
const content = text(600_000);

describeGateway(
  "files",
  (gateway) => {
    let scope = { workspace_id: "" };
    const freshScope = async () => ({ workspace_id: (await makeWorkspace(gateway())).id });
    beforeAll(async () => {
      scope = await freshScope();
    });
    const ctx = () => makeContext(gateway().deps);

    async function upload(bytes: Buffer, to = scope): Promise<string> {
      const given = { filename: "a.txt", content: partsOf(bytes), purpose: () => null, stillAllowed: async () => {} };
      return (await uploads.upload(ctx(), to, given)).id;
    }

    const read = async function* (id: string, deps = gateway().deps): AsyncGenerator<Buffer> {
      yield* (await files.openFile(deps, scope.workspace_id, id)).content();
    };
    const list = async ({ workspace_id } = scope) => await files.list(ctx(), { workspace_id });

    /** Changes what is stored of a file's pieces; null: nothing is. */
    async function damage(id: string, change: (sealed: Buffer, n: number) => Buffer | null): Promise<void> {
      if (engine === "embedded") {
        const path = join(gateway().folder, "files", id);
        const whole = await readFile(path);
        const each = sealedBytes(pieceBytes);
        const pieces = Array.from({ length: Math.ceil(whole.length / each) }, (_, n) =>
          change(whole.subarray(n * each, (n + 1) * each), n),
        );
        if (pieces.includes(null)) await rm(path);
        else await writeFile(path, Buffer.concat(pieces.filter((piece) => piece !== null)));
        return;
      }
      const { pool } = gateway().deps.store;
      const { rows } = await pool.query<{ n: number; sealed: Buffer }>(
        "select n, sealed from file_pieces where file_id = $1",
        [id],
      );
      for (const { n, sealed } of rows) {
        const changed = change(sealed, n);
        if (changed === null) await pool.query("delete from file_pieces where file_id = $1 and n = $2", [id, n]);
        else await pool.query("update file_pieces set sealed = $3 where file_id = $1 and n = $2", [id, n, changed]);
      }
    }

    describe("that are damaged where they are stored", () => {
      const flipped = (sealed: Buffer, at: number) => {
        const altered = Buffer.from(sealed);
        altered.writeUInt8(altered.readUInt8(at) ^ 1, at);
        return altered;
      };

      it.each<[name: string, change: (sealed: Buffer, n: number) => Buffer | null]>([
        ["a bit of the content", (sealed, n) => (n === 1 ? flipped(sealed, 5_000) : sealed)],
        ["a bit of the tag", (sealed, n) => (n === 1 ? flipped(sealed, 3) : sealed)],
        ["the end of it", (sealed, n) => (n === 2 ? sealed.subarray(0, -1) : sealed)],
        ["all of it", () => null],
      ])("are refused, and nothing wrong is read: %s", async (_, change) => {
        const id = await upload(content);
        await damage(id, change);
        const got: Buffer[] = [];
        const reading = async () => {
          for await (const piece of read(id)) got.push(piece);
        };
        const message = `What is stored of the file ${id} is damaged: delete it and upload it again`;
        await expect(reading()).rejects.toEqual(new Refusal("not_found", message));
        expect(content.subarray(0, got.length * pieceBytes).equals(Buffer.concat(got))).toBe(true);
      });

      it("are refused where two pieces have changed places", async () => {
        const id = await upload(content);
        const pieces = new Map<number, Buffer>();
        await damage(id, (sealed, n) => {
          pieces.set(n, Buffer.from(sealed));
          return sealed;
        });
        await damage(id, (sealed, n) => pieces.get(n === 2 ? 2 : 1 - n) ?? sealed);
        await expect(read(id).next()).rejects.toThrow("is damaged");
      });

      it("are listed, and can be deleted, where their key is lost", async () => {
        const own = await freshScope();
        const id = await upload(content, own);
        await gateway().deps.store.pool.query("update files set sealed = 'v1:00000000:lost' where id = $1", [id]);
        expect(await list(own)).toMatchObject({ data: [{ id, filename: "file", size_bytes: content.length }] });
        await expect(files.openFile(gateway().deps, own.workspace_id, id)).rejects.toThrow("is damaged");
        expect(await files.remove(ctx(), own, id)).toMatchObject({ type: "file_deleted" });
      });
    });

    it("that are deleted while they are read end with a refusal", async () => {
      const id = await upload(content);
      const reading = read(id);
      expect((await reading.next()).value).toEqual(content.subarray(0, pieceBytes));
      await files.remove(ctx(), scope, id);
      await expect(reading.next()).rejects.toThrow(`There is no file ${id} in this workspace`);
    });

    it("that are deleted at the same time as others come leave the quota exact", async () => {
      const own = await freshScope();
      const kept: string[] = [];
      for (let n = 0; n < 8; n += 1) kept.push(await upload(text(mb), own));
      // The quota is full, so an upload fits only after a deletion.
      const [uploads, deletions] = await Promise.all([
        Promise.allSettled(Array.from({ length: 6 }, async () => await upload(text(mb), own))),
        Promise.all(kept.slice(0, 4).map(async (id) => await files.remove(ctx(), own, id))),
      ]);
      const added = uploads.filter(({ status }) => status === "fulfilled").length;
      const left = 8 - deletions.length + added;
      expect(left).toBeLessThanOrEqual(8);
      const { usage, data } = await list(own);
      expect(usage).toMatchObject({ files: left, bytes: left * mb });
      expect(data).toHaveLength(left);
      for (const result of uploads) {
        if (result.status === "rejected") expect(result.reason).toMatchObject({ type: "payload_too_large" });
      }
    });

    it("that are deleted twice at the same time are counted once", async () => {
      const own = await freshScope();
      const id = await upload(content, own);
      const ends = await Promise.allSettled([files.remove(ctx(), own, id), files.remove(ctx(), own, id)]);
      expect(ends.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
      expect(await list(own)).toMatchObject({ usage: { bytes: 0, files: 0 } });
    });

    it("are read as before after the secret key is replaced", async () => {
      const id = await upload(content);
      const { deps } = gateway();
      const next = "b".repeat(40);
      await resealContents({ store: deps.store, secrets: createSecretBox([next, secretKey]) });
      const after = { ...deps, secrets: createSecretBox([next]) };
      expect(await files.get({ ...ctx(), ...after }, scope, id)).toMatchObject({ filename: "a.txt" });
      expect((await read(id, after).next()).value).toEqual(content.subarray(0, pieceBytes));
    });
  },
  { env: { GATEHOUSE_SECRET_KEY: secretKey, GATEHOUSE_FILES_MB: "8" } },
);

async function* partsOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 100_000) yield bytes.subarray(at, at + 100_000);
}
