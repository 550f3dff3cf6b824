import { readdir, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { createOpenAI } from "@ai-sdk/openai";
import { OpenAI } from "openai";
import { OpenRouter } from "openrouter-sdk-1-3-19";
import { beforeAll, describe, expect, it } from "vitest";
import { mostFiles } from "#contract/files.ts";
import { sweep } from "../domain/files/file-store.ts";
import { openFile } from "../domain/files/files.ts";
import { describeGateway, engine } from "../testing/describe-gateway.ts";
import { eventually } from "../testing/eventually.ts";
import { expectError, expectIssues } from "../testing/expect-error.ts";
import { makeKey, makeWorkspace } from "../testing/factories.ts";
import type { Answer, TestGateway } from "../testing/gateway.ts";

const mb = 1_000_000;
const pdf = (size: number) => Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.alloc(Math.max(0, size - 9), "x")]);

function formOf(content: Uint8Array, name = "report.pdf", purpose?: string): FormData {
  const form = new FormData();
  if (purpose !== undefined) form.append("purpose", purpose);
  form.append("file", new Blob([content]), name);
  return form;
}

async function uploadTo(gateway: TestGateway, key: string, body: FormData, query = ""): Promise<Answer> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${gateway.url}/api/v1/files${query}`, { method: "POST", headers, body });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: JSON.parse(text) };
}

describeGateway(
  "files",
  (gateway) => {
    let key = "";

    beforeAll(async () => {
      key = (await fresh()).key;
    });

    /** A key of a workspace that has no files. */
    async function fresh(): Promise<{ key: string; workspace: string; hash: string }> {
      const { id: workspace } = await makeWorkspace(gateway());
      const made = await makeKey(gateway(), { workspace_id: workspace });
      return { key: made.key, workspace, hash: made.record.hash };
    }

    const upload = async (content: Uint8Array, own = key, name?: string) =>
      await uploadTo(gateway(), own, formOf(content, name));
    const uploaded = async (content: Uint8Array, own = key, name?: string): Promise<string> => {
      const answer = await upload(content, own, name);
      expect(answer.text).toSatisfy(() => answer.status === 200);
      return answer.json.id;
    };
    const call = async (method: string, path: string, own = key) => await gateway().call(method, path, { key: own });
    const usage = async (own = key) => (await call("GET", "/files", own)).json.usage;

    /** What is kept of the bytes of files. */
    async function bytesKept(): Promise<string[]> {
      if (engine === "embedded") return await readdir(join(gateway().folder, "files")).catch(() => []);
      const { rows } = await gateway().deps.store.pool.query("select distinct file_id from file_pieces");
      return rows.map(({ file_id: id }) => id);
    }

    async function contentOf(workspace: string, id: string): Promise<Buffer> {
      const pieces: Buffer[] = [];
      for await (const piece of (await openFile(gateway().deps, workspace, id)).content()) pieces.push(piece);
      return Buffer.concat(pieces);
    }

    it("are typed and accepted by the official client: listFiles, uploadFile, getFileMetadata, deleteFile, downloadFileContent", async () => {
      const { key: apiKey } = await fresh();
      const { files } = new OpenRouter({ apiKey, serverURL: `${gateway().url}/api/v1` });
      const made = await files.upload({ requestBody: { file: new File(["a,b\n1,2\n"], "table.csv") } });
      expect(made).toMatchObject({ shape: "openrouter", filename: "table.csv", mimeType: "text/csv", sizeBytes: 8 });
      if (made.shape !== "openrouter") throw new Error("the client knows no such shape");
      expect(await files.retrieve({ fileId: made.id })).toEqual(made);
      const { result } = await files.list();
      expect(result).toMatchObject({ shape: "openrouter", data: [{ id: made.id }], hasMore: false, cursor: null });
      await expect(files.download({ fileId: made.id })).rejects.toMatchObject({ statusCode: 400 });
      expect(await files.delete({ fileId: made.id })).toMatchObject({ shape: "openrouter", id: made.id });
      await expect(files.retrieve({ fileId: made.id })).rejects.toMatchObject({ statusCode: 404 });
    });

    it("have OpenAI's shape for its clients, at /v1", async () => {
      const { files } = new OpenAI({ apiKey: key, baseURL: `${gateway().url}/v1` });
      const made = await files.create({ file: new File(["# Title\n"], "notes.md"), purpose: "assistants" });
      const created_at = expect.toSatisfy((at: unknown) => Number.isInteger(at) && Number(at) < 1e10);
      const record = { object: "file", bytes: 8, created_at, filename: "notes.md", purpose: "assistants" };
      expect(made).toMatchObject(record);
      expect(await files.retrieve(made.id)).toMatchObject({ id: made.id, ...record });
      expect((await files.list()).data).toContainEqual(expect.objectContaining(record));
      const found = [];
      for await (const file of files.list({ limit: 1 })) found.push(file.id);
      expect(found).toContain(made.id);
      expect(await files.delete(made.id)).toMatchObject({ id: made.id, object: "file", deleted: true });
      const ai = createOpenAI({ apiKey: key, baseURL: `${gateway().url}/v1` }).files();
      const data = { type: "data", data: new TextEncoder().encode("# Title\n") } as const;
      const sent = await ai.uploadFile({ data, mediaType: "text/markdown", filename: "notes.md" });
      expect(sent.providerMetadata).toMatchObject({ openai: { bytes: 8, purpose: "assistants" } });
    });

    it("have the public API's shape for Anthropic's clients, which is theirs too", async () => {
      const id = await uploaded(pdf(9));
      const headers = { authorization: `Bearer ${key}`, "anthropic-version": "2023-06-01" };
      const answer = await fetch(`${gateway().url}/v1/files/${id}`, { headers });
      expect(await answer.json()).toMatchObject({ id, type: "file", size_bytes: 9, created_at: expect.any(String) });
    });

    it("come back as they were, whatever their size", async () => {
      const { key: own, workspace } = await fresh();
      for (const size of [9, 262_143, 262_144, 262_145, mb]) {
        const content = pdf(size);
        const id = await uploaded(content, own);
        expect((await contentOf(workspace, id)).equals(content)).toBe(true);
      }
    });

    it("are encrypted where they are kept, and bound to their place", async () => {
      const { key: own, workspace } = await fresh();
      const secret = Buffer.from("%PDF-1.7\nthe very secret sentence");
      const id = await uploaded(secret, own, "secret name.pdf");
      const { store, files } = gateway().deps;
      const { rows } = await store.pool.query("select * from files where id = $1", [id]);
      expect(JSON.stringify(rows[0], (_, value) => (typeof value === "bigint" ? Number(value) : value))).not.toMatch(
        "secret name",
      );
      const stored = await files.blobs.read(id, 0, secret.length);
      expect(stored?.includes("secret sentence")).toBe(false);
      const other = await uploaded(secret, own);
      await store.pool.query("update files set sealed = $1 where id = $2", [rows[0].sealed, other]);
      await expect(contentOf(workspace, other)).rejects.toThrow(`What is stored of the file ${other} is damaged`);
      await store.pool.query("delete from files where id = $1", [other]);
    });

    describe("tenancy", () => {
      it("is the workspace's: another key of it has the file, and a key of another workspace has not (404)", async () => {
        const { key: own, workspace } = await fresh();
        const id = await uploaded(pdf(20), own);
        const second = (await makeKey(gateway(), { workspace_id: workspace })).key;
        expect((await call("GET", `/files/${id}`, second)).status).toBe(200);
        for (const [method, path] of [
          ["GET", `/files/${id}`],
          ["GET", `/files/${id}/content`],
          ["DELETE", `/files/${id}`],
        ] as const) {
          expectError(await call(method, path), "not_found", `There is no file ${id} in this workspace`);
        }
        expect((await call("GET", "/files")).json.data.map((file: { id: string }) => file.id)).not.toContain(id);
        expectError(await call("GET", `/files?workspace_id=${workspace}`), "permission_denied", "its own workspace");
      });

      it("is the given workspace's, or the default one's, for a management key", async () => {
        const { key: own, workspace } = await fresh();
        const id = await uploaded(pdf(20), own);
        const { managementKey } = gateway();
        expectError(await call("GET", `/files/${id}`, managementKey), "not_found", "in this workspace");
        const found = await call("GET", `/files/${id}?workspace_id=${workspace}`, managementKey);
        expect(found.json).toMatchObject({ id });
        const made = await uploadTo(gateway(), managementKey, formOf(pdf(30)), `?workspace_id=${workspace}`);
        const changes = await gateway().call("GET", "/audit?limit=1");
        expect(changes.json.data[0]).toMatchObject({
          action: "uploadFile",
          target_id: made.json.id,
          target_name: null,
        });
        expect(changes.text).not.toMatch("report.pdf");
      });
    });

    describe("a list", () => {
      it("is in pages", async () => {
        const { key: own } = await fresh();
        const ids: string[] = [];
        for (let at = 0; at < 3; at += 1) ids.push(await uploaded(pdf(20 + at), own));
        const page = async (query: string) => (await call("GET", `/files?limit=2${query}`, own)).json;
        expect(await page("")).toMatchObject({ has_more: true, first_id: ids[0], last_id: ids[1] });
        expect(await page(`&after=${ids[1]}`)).toMatchObject({ has_more: false, last_id: ids[2], cursor: null });
        expect(await page(`&after=${ids[2]}`)).toMatchObject({ data: [], first_id: null, last_id: null });
      });

      const id = `or_file_${"0".repeat(32)}`;
      it.each([
        ["before_id", `before_id=${id}`],
        ["order", "order=desc"],
        ["after", "after=file-1"],
        ["cursor", "cursor=nonsense"],
        ["after_id", `after=${id}&after_id=${id}`],
        ["limit", "limit=1001"],
        ["provider", "provider=acme"],
      ])("refuses %s, which the gateway's store has not, in %s (400)", async (member, query) => {
        expectIssues(await call("GET", `/files?${query}`), member);
      });
    });

    describe("an upload is refused", () => {
      it("that is empty, or of no type that is taken (400)", async () => {
        expectError(await upload(Buffer.alloc(0)), "invalid_request", "file must not be empty");
        const program = Buffer.from("\x7fELF\x02\x01\x01\0", "latin1");
        expectError(await upload(program, key, "cat.png"), "invalid_request", "file must be PDF, PNG");
      });

      it("without a file, with two of them, or with a field of any length (400)", async () => {
        const [none, two] = [new FormData(), formOf(pdf(20))];
        none.append("purpose", "user_data");
        two.append("file", new Blob(["more"]), "b.txt");
        for (const [form, message] of [
          [none, "file is missing"],
          [two, "file must be sent once"],
          [formOf(pdf(20), "a", "x".repeat(70_000)), "65536"],
        ] as const) {
          expectError(await uploadTo(gateway(), key, form), "invalid_request", message);
        }
        const nowhere = "?workspace_id=00000000-0000-4000-8000-000000000000";
        const lost = await uploadTo(gateway(), gateway().managementKey, formOf(pdf(20)), nowhere);
        expectError(lost, "not_found", "There is no workspace");
      });

      it("that is larger than a file may be (413), however it is sent", async () => {
        const answer = await upload(pdf(2 * mb + 1));
        expectError(answer, "payload_too_large", "A file can have at most 2 MB");
        const endless = await sendEndlessly(gateway(), key);
        expect(endless.status).toBe(413);
        expect(endless.sent).toBeLessThan(16 * mb);
        expect(await usage()).toMatchObject({ most_bytes: 4 * mb, most_files: mostFiles });
      });

      it("and leaves nothing", async () => {
        const { key: own } = await fresh();
        const before = (await bytesKept()).length;
        await upload(Buffer.from("\0"), own);
        await upload(pdf(2 * mb + 1), own);
        await cutOff(gateway(), own, 600_000);
        await eventually(bytesKept, (kept) => kept.length === before);
        expect(await usage(own)).toMatchObject({ bytes: 0, files: 0 });
      });

      it("for a key that was deleted while it was sent (401)", async () => {
        const { key: own, hash } = await fresh();
        const before = await bytesKept();
        const answer = await sendSlowly(gateway(), own, async () => {
          expect((await gateway().call("DELETE", `/keys/${hash}`)).status).toBe(200);
        });
        expect(answer).toBe(401);
        const isNew = (id: string) => !before.includes(id);
        await eventually(bytesKept, (kept) => !kept.some(isNew));
      });
    });

    describe("the quota", () => {
      it("is exact, and a refusal says its figures (413)", async () => {
        const { key: own } = await fresh();
        const first = await uploaded(pdf(2 * mb), own);
        await uploaded(pdf(2 * mb - 100), own);
        expect(await usage(own)).toMatchObject({ bytes: 4 * mb - 100, files: 2 });
        const full = await upload(pdf(101), own);
        expectError(full, "payload_too_large", `files of ${4 * mb - 100} bytes, and can have ${4 * mb}`);
        expect(full.json.error.metadata).toMatchObject({ used_bytes: 4 * mb - 100, most_bytes: 4 * mb });
        await uploaded(pdf(100), own);
        expectError(await upload(pdf(9), own), "payload_too_large", "Delete some first");
        expect((await call("DELETE", `/files/${first}`, own)).json).toEqual({
          _shape: "openrouter",
          id: first,
          type: "file_deleted",
        });
        expect(await usage(own)).toMatchObject({ bytes: 2 * mb, files: 2 });
        expect(await bytesKept()).not.toContain(first);
      });

      it("is exact when twenty uploads end at once", async () => {
        const { key: own } = await fresh();
        const size = Math.floor((4 * mb) / 7);
        const answers = await Promise.all(Array.from({ length: 20 }, async () => await upload(pdf(size), own)));
        expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
          ...Array.from({ length: 7 }, () => 200),
          ...Array.from({ length: 13 }, () => 413),
        ]);
        expect(await usage(own)).toMatchObject({ bytes: 7 * size, files: 7 });
      });

      it("bounds the number of files, too", async () => {
        const { key: own, workspace } = await fresh();
        await uploaded(pdf(10), own);
        await gateway().deps.store.pool.query("update file_totals set files = $1 where workspace_id = $2", [
          mostFiles,
          workspace,
        ]);
        expectError(await upload(pdf(10), own), "payload_too_large", `has ${mostFiles} files, which is the most`);
      });
    });

    it.each([
      ["../../etc/passwd", "passwd"],
      ["C:\\temp\\a.pdf", "a.pdf"],
      ['quoted".pdf', "quoted%22.pdf"],
      ["Überblick 🙂.pdf", "Überblick 🙂.pdf"],
      ["\u202Efdp.exe", "_fdp.exe"],
      ["/", "file"],
      ["x".repeat(400), "x".repeat(255)],
    ])("the name %j becomes %j", async (given, kept) => {
      const id = await uploaded(pdf(10), key, given);
      expect((await call("GET", `/files/${id}`)).json.filename).toBe(kept);
    });

    it.each(["../../secret", "%2e%2e%2fsecret.key"])("%s is no file's id (400)", async (id) => {
      expectIssues(await call("GET", `/files/${encodeURIComponent(id)}`), "file_id");
    });

    it("of a deleted workspace, and bytes without a row, are swept", async () => {
      const { key: own, workspace, hash } = await fresh();
      const id = await uploaded(pdf(20), own);
      const orphan = `or_file_${"e".repeat(32)}`;
      const { deps, clock } = gateway();
      if (engine === "embedded") await writeFile(join(gateway().folder, "files", orphan), "left behind");
      else
        await deps.store.pool.query(
          "insert into file_pieces (file_id, n, created_at, sealed) values ($1, 0, $2, 'left behind')",
          [orphan, clock.now()],
        );
      await gateway().call("DELETE", `/keys/${hash}`);
      expect((await gateway().call("DELETE", `/workspaces/${workspace}`)).status).toBe(200);
      expect(await bytesKept()).toEqual(expect.arrayContaining([id, orphan]));
      await sweep(deps, new Date(clock.now().getTime() + 3_600_000));
      const kept = await bytesKept();
      expect(kept).not.toContain(id);
      expect(kept).not.toContain(orphan);
      const { rows } = await deps.store.pool.query("select id from files");
      expect(rows.map((row) => row.id).toSorted()).toEqual(kept.toSorted());
    });
  },
  { env: { GATEHOUSE_FILE_MB: "2", GATEHOUSE_FILES_MB: "4" } },
);

const boundary = "b";
const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-`;

function begin(gateway: TestGateway, key: string) {
  const sending = request(`${gateway.url}/api/v1/files`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": `multipart/form-data; boundary=${boundary}` },
  });
  sending.on("error", () => {});
  sending.write(head);
  return sending;
}

/** Sends without an end, until there is an answer. */
async function sendEndlessly(gateway: TestGateway, key: string): Promise<{ status: number; sent: number }> {
  const sending = begin(gateway, key);
  const piece = Buffer.alloc(65_536, "x");
  let sent = 0;
  const status = new Promise<number>((resolve) =>
    sending.once("response", (answer) => resolve(answer.statusCode ?? 0)),
  );
  const timer = setInterval(() => {
    if (sending.writableNeedDrain) return;
    sending.write(piece);
    sent += piece.length;
  }, 0);
  try {
    return { status: await status, sent };
  } finally {
    clearInterval(timer);
    sending.destroy();
  }
}

async function cutOff(gateway: TestGateway, key: string, after: number): Promise<void> {
  const sending = begin(gateway, key);
  await new Promise((resolve) => sending.write(Buffer.alloc(after, "x"), resolve));
  sending.destroy();
}

/** @param meanwhile called between the beginning of the file and its end. @returns the status */
async function sendSlowly(gateway: TestGateway, key: string, meanwhile: () => Promise<void>): Promise<number> {
  const sending = begin(gateway, key);
  const status = new Promise<number>((resolve) =>
    sending.once("response", (answer) => resolve(answer.statusCode ?? 0)),
  );
  await new Promise((resolve) => sending.write("some of it", resolve));
  await meanwhile();
  sending.end(`\r\n--${boundary}--\r\n`);
  return await status;
}
