import type { ClaimConditions, IssuerJwks, UpdateFederationPolicyBody } from "#contract/federation.ts";
import type { Fixed, Json, Settings } from "./columns.ts";

/** What is set of a federation policy, as it is read. */
export type FederationSettings = Settings<UpdateFederationPolicyBody>;

export interface FederationPoliciesTable extends Omit<FederationSettings, "jwks" | "claims"> {
  id: Fixed<string>;
  jwks: Json<IssuerJwks | null>;
  claims: Json<ClaimConditions>;
  /** counts the changes that end the tokens given before */
  generation: number;
  created_at: Fixed<Date>;
  created_by: Fixed<string | null>;
  updated_at: Date | null;
}

interface FederationSubjectsTable {
  policy_id: Fixed<string>;
  /** the beginning of the workload's `sub` */
  subject: Fixed<string>;
  first_at: Fixed<Date>;
  last_at: Date;
  count: bigint;
}

/** The public half of a signing key, as it is published (RFC 7517). */
export interface SigningJwk {
  kty: "EC";
  crv: "P-256";
  alg: "ES256";
  use: "sig";
  kid: string;
  x: string;
  y: string;
}

interface SigningKeysTable {
  kid: Fixed<string>;
  public_key: Json<SigningJwk>;
  /** the private key, encrypted */
  sealed: string;
  created_at: Fixed<Date>;
}

export interface FederationTables {
  federation_policies: FederationPoliciesTable;
  federation_subjects: FederationSubjectsTable;
  signing_keys: SigningKeysTable;
}
