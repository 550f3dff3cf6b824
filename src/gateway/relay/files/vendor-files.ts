import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import * as z from "zod/mini";
import type { Output, Parsed } from "#contract/endpoint.ts";
import { deleteFile, getFileMetadata, listFiles, uploadFile } from "#contract/files.ts";
import type { Context } from "../../domain/context.ts";
import { limited, plainName } from "../../domain/files/upload.ts";
import { invalid, Refusal } from "../../domain/refusal.ts";
import { ownKeysAt } from "../../domain/routing/candidates.ts";
import type { CatalogProvider } from "../../domain/routing/catalog.ts";
import { callersWorkspace } from "../../domain/workspaces/scope.ts";
import { isObject } from "../../providers/answer.ts";
import { call, type CallAnswer, CallFailed, readBeginning, readBody } from "../../providers/call.ts";
import { cleanParsed, vendorText } from "../../providers/redact.ts";
import type { FilesDialect, SentRequest, Upstream } from "../../providers/provider.ts";
import { adapters, toUpstream } from "../../providers/registry.ts";
import { readJsonInTurns, UnreadableJson } from "../../read-json.ts";
import { TooManyCalls } from "../../too-many-calls.ts";
import { runInTurns, takeTurns } from "../../turns.ts";
import { type RelayDeps, timeoutOf } from "../deps.ts";
import { upstreamRefusal } from "../upstream-refusal.ts";
import { watched } from "../watched.ts";
import { refuseGuarded } from "./refuse-guarded.ts";
import { mostErrorBytes } from "../whole-answer.ts";

type Query = Parsed<typeof listFiles>["query"];
/** Whose files at which vendor. */
type Scope = Pick<Query, "workspace_id"> & { readonly provider: NonNullable<Query["provider"]> };

/** A file on its way to a vendor. */
interface SentFile {
  readonly filename: string;
  readonly content: AsyncIterable<Buffer>;
  /** OpenAI's; known once the content has been read */
  purpose(): string | null;
}

/** Files at vendors, with the workspaces' own keys for them. A vendor's records pass with `_shape` added. */
export interface VendorFiles {
  list(ctx: Context, query: Query & Scope): Promise<Output<typeof listFiles>>;
  upload(ctx: Context, scope: Scope, file: SentFile): Promise<Output<typeof uploadFile>>;
  get(ctx: Context, scope: Scope, id: string): Promise<Output<typeof getFileMetadata>>;
  remove(ctx: Context, scope: Scope, id: string): Promise<Output<typeof deleteFile>>;
  /** the content as it comes */
  download(ctx: Context, scope: Scope, id: string): Promise<Readable>;
}

export function createVendorFiles(deps: RelayDeps): VendorFiles {
  const at = async (ctx: Context, scope: Scope) => await vendorAt(deps, ctx, scope);
  const pathOf = (id: string) => `files/${encodeURIComponent(id)}`;
  return {
    async list(ctx, query) {
      const vendor = await at(ctx, query);
      const answer = await vendor.read("GET", `files${searchOf(vendor.dialect.shape, query)}`);
      const { data } = answer;
      const files = Array.isArray(data) ? data.map((file: unknown) => vendor.shaped(file)) : null;
      const [first, last] = [idOf(files?.[0]), idOf(files?.at(-1))];
      return vendor.checked(listFiles, { has_more: false, first_id: first, last_id: last, ...answer, data: files });
    },
    async upload(ctx, scope, file) {
      const vendor = await at(ctx, scope);
      await refuseGuarded(ctx, scope.provider, vendor.provider);
      return vendor.checked(uploadFile, await vendor.send("files", file, ctx.files.mostFileBytes));
    },
    async get(ctx, scope, id) {
      const vendor = await at(ctx, scope);
      return vendor.checked(getFileMetadata, await vendor.read("GET", pathOf(id)));
    },
    async remove(ctx, scope, id) {
      const vendor = await at(ctx, scope);
      return vendor.checked(deleteFile, await vendor.read("DELETE", pathOf(id)));
    },
    async download(ctx, scope, id) {
      const vendor = await at(ctx, scope);
      return vendor.passedOn(await vendor.ask("GET", `${pathOf(id)}/content`, { accept: "*/*" }));
    },
  };
}

const idOf = (file: unknown) => (isObject(file) && typeof file["id"] === "string" ? file["id"] : null);

/** Each vendor's own names; a cursor is an id. */
function searchOf(shape: FilesDialect["shape"], query: Query): string {
  const after = query.after ?? query.after_id ?? query.cursor;
  const given =
    shape === "openai"
      ? { limit: query.limit, after, order: query.order }
      : { limit: query.limit, after_id: after, before_id: query.before_id };
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? "" : `?${search.toString()}`;
}

async function vendorAt(deps: RelayDeps, ctx: Context, scope: Scope): Promise<Vendor> {
  const workspaceId = await callersWorkspace(ctx, scope.workspace_id, "files");
  const catalog = deps.domain.catalog.current(deps.domain);
  const keyHash = ctx.actor.kind === "system" ? "" : ctx.actor.keyHash;
  const own = catalog.providers
    .filter(({ preset }) => preset === scope.provider)
    .flatMap(({ slug }) => ownKeysAt(catalog, slug, { workspaceId, keyHash, userId: null }))
    .find(({ settings, allowedModels }) => allowedModels === null && !settings.unreadable);
  if (own !== undefined) return new Vendor(deps, own.settings, keyHash);
  const message = `needs the workspace's own key for ${scope.provider}, for all models: add one with POST /byok, or leave provider out`;
  throw invalid("provider", message);
}

const mostAnswerBytes = 8 * 1_048_576;
const mostValues = 200_000;

/** A vendor with the workspace's own key. */
class Vendor {
  readonly dialect: FilesDialect;
  private readonly upstream: Upstream;
  private readonly deps: RelayDeps;
  readonly provider: CatalogProvider;
  private readonly owner: string;

  /** @param owner the key that asks */
  constructor(deps: RelayDeps, provider: CatalogProvider, owner: string) {
    const dialect = adapters[provider.kind]?.files;
    this.upstream = toUpstream(provider);
    if (dialect === undefined || !dialect.takes(this.upstream))
      throw invalid("provider", `is ${provider.name}, which has no files`);
    this.dialect = dialect;
    this.deps = deps;
    this.provider = provider;
    this.owner = owner;
  }

  /** Holds a slot at the provider until the answer's body is over. @throws Refusal for what the vendor does; TooManyCalls */
  async ask(
    method: SentRequest["method"],
    path: string,
    { accept = "application/json", form }: { accept?: "application/json" | "*/*"; form?: SentForm } = {},
  ): Promise<CallAnswer> {
    const { deps, provider, upstream, dialect } = this;
    const timeoutMs = timeoutOf(deps, provider);
    const headers = { ...dialect.headers(upstream, accept), ...(form && { "content-type": form.type }) };
    const slot = await deps.providerSlots.of(provider.slug).take(this.owner);
    if (slot === null)
      throw new TooManyCalls(`${provider.name} has as many calls in flight as GATEHOUSE_PROVIDER_CALLS allows`);
    try {
      const answer = await call(
        deps.dispatcher,
        { method, url: dialect.url(upstream, path), headers, body: form?.body ?? null },
        {
          signal: new AbortController().signal,
          headersTimeoutMs: timeoutMs,
          bodyTimeoutMs: timeoutMs,
          wholeTimeoutMs: timeoutMs * 5,
        },
      );
      const { status } = answer;
      if (status === 200) {
        answer.body.once("close", slot);
        return answer;
      }
      const body = vendorText(upstream, await readBeginning(answer, mostErrorBytes));
      const adapter = adapters[provider.kind];
      if (adapter === undefined) throw new Error("a provider without an adapter has no files");
      throw new CallFailed(adapter.readFailure(upstream, { status, headers: answer.headers, body }));
    } catch (error) {
      slot();
      // What is wrong with the caller's form, not with the vendor.
      if (form !== undefined && form.broken() !== null) throw form.broken();
      throw this.refusalOf(error);
    }
  }

  async read(method: SentRequest["method"], path: string, form?: SentForm): Promise<Record<string, unknown>> {
    const answer = await this.ask(method, path, form === undefined ? {} : { form });
    try {
      const bytes = await readBody(answer, mostAnswerBytes);
      const turn = takeTurns(`files at ${this.provider.slug}`);
      const parsed = await readJsonInTurns(bytes, turn, mostValues, { mostBesideLongStrings: mostAnswerBytes });
      const clean = await runInTurns(cleanParsed(this.upstream, bytes, parsed), turn);
      return this.shaped(clean.parsed);
    } catch (error) {
      throw error instanceof UnreadableJson ? this.strange() : this.refusalOf(error);
    }
  }

  /** A caller that stops reading holds the slot no longer than a vendor may be silent. */
  passedOn({ body: content }: CallAnswer): Readable {
    const { deps, provider } = this;
    async function* pieces(): AsyncGenerator<Buffer, void, void> {
      yield* content as AsyncIterable<Buffer>;
    }
    const body: Readable = Readable.from(
      watched(pieces(), timeoutOf(deps, provider), () => body.destroy()),
      { objectMode: false, highWaterMark: 65_536 },
    );
    // Destroying it emits an error event, which would end the process without a listener.
    body.once("close", () => content.on("error", () => {}).destroy());
    return body;
  }

  async send(path: string, file: SentFile, mostBytes: number): Promise<Record<string, unknown>> {
    return await this.read("POST", path, formOf(file, this.dialect.shape, mostBytes));
  }

  shaped(record: unknown): Record<string, unknown> {
    return { _shape: this.dialect.shape, ...(isObject(record) ? record : {}) };
  }

  /** @throws Refusal where the answer is not what the public API says that the vendor answers */
  checked<R extends z.ZodMiniType>({ returns }: { readonly returns: R }, answer: unknown): z.output<R> {
    const { data, success } = z.safeParse(returns, answer);
    if (!success) throw this.strange();
    return data;
  }

  private strange(): Refusal {
    return new Refusal(
      "provider_unavailable",
      `${this.provider.slug} gave an answer that is not in the form of its files`,
    );
  }

  private refusalOf(error: unknown): unknown {
    if (!(error instanceof CallFailed)) return error;
    return upstreamRefusal([{ provider: this.provider.slug, failure: error.failure }], [], []);
  }
}

interface SentForm {
  readonly type: string;
  readonly body: Readable;
  /** why the caller's form could not be read to its end; null: it could */
  broken(): Error | null;
}

/** The caller's file in a form of the gateway's own, as it comes. */
function formOf({ filename, content, purpose }: SentFile, shape: FilesDialect["shape"], mostBytes: number): SentForm {
  const boundary = `gatehouse-${randomBytes(18).toString("hex")}`;
  const part = (rest: string) => Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${rest}\r\n\r\n`);
  let broken: Error | null = null;
  async function* pieces(): AsyncGenerator<Buffer, void, void> {
    try {
      const name = plainName(filename).replaceAll('"', "%22");
      yield part(`name="file"; filename="${name}"\r\nContent-Type: application/octet-stream`);
      yield* limited(content, mostBytes);
      yield Buffer.from("\r\n");
      if (shape === "openai")
        yield Buffer.concat([part('name="purpose"'), Buffer.from(`${purpose() ?? "user_data"}\r\n`)]);
      yield Buffer.from(`--${boundary}--\r\n`);
    } catch (error) {
      broken = error instanceof Error ? error : new Error(String(error));
      throw error;
    }
  }
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: Readable.from(pieces(), { objectMode: false }),
    broken: () => broken,
  };
}
