import { Link } from "@tanstack/react-router";
import { presets } from "#contract/provider-presets.ts";
import { ProviderPreset } from "#contract/providers.ts";
import { Plate } from "../../ui/Plate.tsx";

const offered = ProviderPreset.options.filter((preset) => preset !== "custom" && preset !== "gatehouse");
const groups = [
  { title: "Vendors", presets: offered.filter((preset) => !presets[preset].selfHosted) },
  { title: "On your own machines", presets: offered.filter((preset) => presets[preset].selfHosted) },
  { title: "Anything else that speaks OpenAI's dialect", presets: ["custom"] },
] as const;

/** The known vendors to choose from; each only fills in the form. */
export function PresetGallery({ to }: { to: string }) {
  return (
    <>
      {groups.map((group) => (
        <section key={group.title}>
          <h3 className="pb-1 text-12 font-semibold">{group.title}</h3>
          <ul className="grid grid-cols-2 gap-x-4 max-md:grid-cols-1">
            {group.presets.map((preset) => (
              <li key={preset} className="border-b border-line">
                <Link
                  to={to}
                  search={{ preset }}
                  className="flex h-12 items-center gap-3 rounded-1 -outline-offset-2 hover:bg-bg-2"
                >
                  <Plate name={presets[preset].name} />
                  <span className="grid min-w-0 leading-4">
                    <span className="font-semibold">{presets[preset].name}</span>
                    <span className="truncate text-11 text-fg-3">{place(preset)}</span>
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function place(preset: ProviderPreset): string {
  const { baseUrl } = presets[preset];
  return baseUrl === null ? "You give the address" : new URL(baseUrl).host;
}
