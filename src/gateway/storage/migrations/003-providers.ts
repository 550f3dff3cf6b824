import { type Kysely, sql } from "kysely";

/** Providers, what each offers, and callers' own vendor keys. Prices are decimal text: vendors quote below a nano-dollar. */
export async function up(db: Kysely<never>, now: Date): Promise<void> {
  await sql`
    create table providers (
      slug text primary key,
      name text not null,
      kind text not null,
      preset text not null,
      base_url text,
      secret text,
      secret_label text,
      data_collection text not null default 'allow',
      zdr boolean not null default false,
      enabled boolean not null default true,
      options jsonb not null default '{}',
      position integer not null default 0,
      privacy_policy_url text,
      terms_of_service_url text,
      status_page_url text,
      created_at timestamptz not null,
      updated_at timestamptz
    )`.execute(db);
  await sql`
    create table provider_models (
      provider_slug text not null references providers (slug) on delete cascade,
      id text not null,
      upstream_id text not null,
      type text not null,
      name text not null,
      description text not null default '',
      context_length integer,
      dimensions integer,
      dimensions_minimum integer,
      dimensions_maximum integer,
      max_batch integer,
      max_completion_tokens integer,
      input_modalities text[] not null default '{text}',
      pricing jsonb,
      quantization text,
      supported_parameters text[],
      distillable boolean,
      enabled boolean not null default true,
      position integer not null default 0,
      created_at timestamptz not null,
      primary key (provider_slug, id)
    )`.execute(db);
  await sql`create index provider_models_id on provider_models (id)`.execute(db);
  await sql`
    create table byok_keys (
      id uuid primary key,
      workspace_id uuid not null references workspaces (id),
      provider text not null,
      name text,
      secret text,
      label text not null,
      disabled boolean not null default false,
      is_fallback boolean not null default false,
      sort_order integer not null,
      allowed_models text[],
      allowed_user_ids text[],
      allowed_api_key_hashes text[],
      created_at timestamptz not null,
      updated_at timestamptz,
      deleted_at timestamptz
    )`.execute(db);
  await sql`create index byok_keys_workspace on byok_keys (workspace_id, provider, sort_order) where deleted_at is null`.execute(
    db,
  );
  await sql`
    insert into providers (slug, name, kind, preset, data_collection, zdr, position, created_at)
    values ('gatehouse', 'Gatehouse', 'builtin', 'gatehouse', 'deny', true, 0, ${now})`.execute(db);
  await sql`
    insert into provider_models (provider_slug, id, upstream_id, type, name, description, context_length, dimensions,
      dimensions_minimum, dimensions_maximum, max_batch, pricing, quantization, supported_parameters, created_at)
    values ('gatehouse', 'gatehouse/lexical', 'lexical', 'embedding', 'Lexical',
      'Built in, needs no network. Hashed word and character n-grams: nearby vectors mean similar wording, not similar meaning.',
      32768, 384, 8, 3072, 2048, '{"prompt": "0"}', 'fp32', '{dimensions,encoding_format}', ${now})`.execute(db);
}
