import { useState } from "react";
import type { FieldValues } from "react-hook-form";
import type { ApiEndpoint } from "#contract/api.ts";
import type { Input } from "#contract/endpoint.ts";
import { type OneRecord, useVersionedChange, type Versioned } from "../api/versioned.ts";
import { type EndpointForm, type EndpointFormOptions, useEndpointForm } from "./endpoint-form.ts";
import { type NewerOptions, type SettingChange, useNewerVersion } from "./newer-version.ts";
import type { FieldProblems } from "./problems.ts";

interface VersionedFormOptions<E extends ApiEndpoint, V extends FieldValues, Data>
  extends
    Pick<EndpointFormOptions<E, V>, "endpoint" | "labels" | "fieldOf" | "ask">,
    Pick<NewerOptions<V, Data>, "latest" | "formOf" | "words" | "merge"> {
  /** the read that `latest` comes from */
  read: { queryKey: readonly unknown[] };
  /** the call that these values make of the record that they began as */
  input: (values: V, began: Data) => Input<E>;
  problems?: (values: V, began: Data) => FieldProblems;
  saved: (record: OneRecord<E>, began: Data) => void;
}

interface VersionedForm<V extends FieldValues, Data> {
  state: EndpointForm<V>;
  /** what the form's changes are measured against, so that what somebody else changes meanwhile is not written back */
  began: Data;
  /** what others changed while something was typed */
  theirs: SettingChange[];
}

/** A form that changes a stored record: it follows newer versions of it, and overwrites none. */
export function useVersionedForm<E extends ApiEndpoint, V extends FieldValues, Data>(
  options: VersionedFormOptions<E, V, Data>,
): VersionedForm<V, Data> {
  const { endpoint, latest, read, formOf, words, merge, input, problems, saved, ...others } = options;
  const [began, setBegan] = useState<Versioned<Data>>(latest);
  const change = useVersionedChange(endpoint, read);
  const state = useEndpointForm<E, V>({
    ...others,
    endpoint,
    values: formOf(began.record) as EndpointFormOptions<E, V>["values"],
    input: (values) => input(values, began.record),
    problems: (values) => problems?.(values, began.record) ?? {},
    submit: async (sent) => {
      const { record } = await change(sent, began.etag);
      state.guard.open();
      saved(record, began.record);
    },
  });
  const theirs = useNewerVersion(state, { latest, began, follow: setBegan, formOf, words, ...(merge && { merge }) });
  return { state, began: began.record, theirs };
}
