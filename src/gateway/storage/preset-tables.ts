import type { PresetStatus } from "#contract/presets.ts";
import type { Fixed, Json } from "./columns.ts";

/** A preset of a workspace, and which of its versions calls use. */
export interface PresetsTable {
  id: Fixed<string>;
  workspace_id: Fixed<string>;
  slug: Fixed<string>;
  name: string;
  description: string | null;
  status: PresetStatus;
  /** null: it has been active since it was made */
  status_updated_at: Date | null;
  designated_version: number;
  /** the highest number that a version has had: none is given twice */
  last_version: number;
  created_by: Fixed<string>;
  created_at: Fixed<Date>;
  updated_at: Date;
}

export interface PresetVersionsTable {
  preset_id: Fixed<string>;
  version: Fixed<number>;
  id: Fixed<string>;
  config: Json<Record<string, unknown>>;
  system_prompt: Fixed<string | null>;
  created_by: Fixed<string>;
  created_at: Fixed<Date>;
}

/** The tables of migration 028. */
export interface PresetTables {
  presets: PresetsTable;
  preset_versions: PresetVersionsTable;
}
