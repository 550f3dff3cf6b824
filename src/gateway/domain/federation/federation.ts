import type { Deps } from "../context.ts";
import { createReadThrough } from "../read-through.ts";
import { createIssuerKeys, type IssuerKeys, type ReadJwks } from "./issuer-keys.ts";
import { createOwnTokens, type OwnTokens } from "./own-tokens.ts";
import { type PolicyRow, readPolicy } from "./row.ts";
import { createSubjectCounts, type SubjectCounts } from "./subjects.ts";
import { createSigningKeys, type SigningKeys } from "./signing-keys.ts";

/** Policies by id, as this process knows them. */
interface PolicyCache {
  /** null: there is none */
  of(deps: Deps, id: string): Promise<PolicyRow | null>;
  /** drops this process's cache, and tells the others; call it after a committed change */
  changed(deps: Deps): Promise<void>;
  watch(deps: Deps): void;
}

/** What the process knows of workload identity. One per process. */
export interface Federation {
  readonly policies: PolicyCache;
  readonly issuerKeys: IssuerKeys;
  readonly signingKeys: SigningKeys;
  readonly ownTokens: OwnTokens;
  readonly subjectCounts: SubjectCounts;
  /** the `iss` of access tokens: the API's address, where that is set */
  readonly issuer: string;
}

export function createFederation(issuer: string, readJwks: ReadJwks): Federation {
  const signingKeys = createSigningKeys();
  return {
    policies: createPolicyCache(),
    issuerKeys: createIssuerKeys(readJwks),
    signingKeys,
    ownTokens: createOwnTokens(signingKeys),
    subjectCounts: createSubjectCounts(),
    issuer,
  };
}

const mostPolicies = 1_000;

function createPolicyCache(): PolicyCache {
  const policies = createReadThrough<PolicyRow | null>("gatehouse_federation", mostPolicies);
  return {
    of: (deps, id) => policies.of(deps, id, () => readPolicy(deps.store.db, id)),
    changed: policies.changed,
    watch: policies.watch,
  };
}
