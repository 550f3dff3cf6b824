import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Controller, useWatch, type UseFormReturn } from "react-hook-form";
import { everyWorkspace, formerWorkspace } from "../../api/workspaces.ts";
import { Combobox } from "../../ui/Combobox.tsx";
import { Field } from "../../ui/Field.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import type { KeyFormValues } from "./key-form.ts";

/** Where the key is made; not shown where there is only one place. */
export function WorkspaceField({ form }: { form: UseFormReturn<KeyFormValues> }) {
  const { data, isPending, isError } = useQuery(everyWorkspace);
  const chosen = useWatch({ control: form.control, name: "workspaceId" });
  const options = useMemo(() => {
    const listed = data?.map(({ id, name, is_default }) => ({
      value: id,
      label: name,
      detail: is_default ? "default" : undefined,
    }));
    const gone = formerWorkspace(chosen);
    if (gone === undefined || listed === undefined || listed.some(({ value }) => value === chosen)) return listed;
    return [...listed, { value: chosen, label: gone.name, detail: "deleted" }];
  }, [data, chosen]);
  if (isError && data === undefined)
    return <p className="text-12 text-fg-3">The workspaces did not load: the key is created in the default one.</p>;
  if (isPending) return <Skeleton height={32} />;
  if (options === undefined || options.length <= 1) return null;
  return (
    <Controller
      control={form.control}
      name="workspaceId"
      render={({ field, fieldState }) => (
        <Field label="Workspace" error={fieldState.error?.message}>
          {(control) => (
            <Combobox
              {...control}
              label="Workspace"
              options={options}
              value={field.value}
              onChange={(value) => field.onChange(value ?? "")}
              onBlur={field.onBlur}
              ref={field.ref}
            />
          )}
        </Field>
      )}
    />
  );
}
