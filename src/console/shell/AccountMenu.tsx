import { useNavigate } from "@tanstack/react-router";
import { useSession } from "../api/session.ts";
import { paths } from "../paths.ts";
import { setPreference, usePreference, type Preference } from "../preferences.ts";
import { Menu, type MenuChoice } from "../ui/Menu.tsx";
import { openShortcuts } from "./overlays.ts";
import { useSignOut } from "./sign-out.ts";
import { useWorkspace } from "./workspace.ts";

const themes: readonly [Preference<"theme">, string][] = [
  ["system", "System"],
  ["light", "Light"],
  ["dark", "Dark"],
];
const zones: readonly [Preference<"zone">, string][] = [
  ["utc", "Times in UTC"],
  ["local", "Times in my time zone"],
];

/** Who is signed in, how the console looks on this machine, and the way out. */
export function AccountMenu() {
  const session = useSession();
  const signOut = useSignOut();
  const navigate = useNavigate();
  const { path } = useWorkspace();
  const theme = usePreference("theme");
  const zone = usePreference("zone");
  const shortcuts = usePreference("shortcuts");
  const user = session.state === "signed-in" || session.state === "ended" ? session.record.user : "";
  return (
    <Menu
      trigger={
        <button
          type="button"
          className="grid size-7 shrink-0 place-items-center rounded-1 bg-bg-3 text-[10px]/none font-semibold text-fg-2 hover:text-fg-1"
        >
          <span className="sr-only">Account: {user}</span>
          <span aria-hidden="true">{initials(user)}</span>
        </button>
      }
      items={[
        { kind: "heading", label: `Signed in as ${user}` },
        { label: "Management keys", onSelect: () => void navigate({ to: paths.managementKeys(path) }) },
        { kind: "line" },
        { kind: "heading", label: "Theme" },
        ...themes.map(([value, label]) => choice(label, theme === value, () => setPreference("theme", value))),
        { kind: "line" },
        { kind: "heading", label: "Times in tables" },
        ...zones.map(([value, label]) => choice(label, zone === value, () => setPreference("zone", value))),
        { kind: "line" },
        {
          kind: "check",
          label: "Single-key shortcuts",
          checked: shortcuts === "on",
          keepOpen: true,
          onSelect: () => setPreference("shortcuts", shortcuts === "on" ? "off" : "on"),
        },
        { label: "List the shortcuts", shortcut: "?", onSelect: openShortcuts },
        { kind: "line" },
        { label: "Sign out", onSelect: signOut },
      ]}
    />
  );
}

function choice(label: string, checked: boolean, onSelect: () => void): MenuChoice {
  return { kind: "radio", label, checked, keepOpen: true, onSelect };
}

/** Two letters for the account's square: of the first two words, or the first two of the only one. */
function initials(user: string): string {
  const words = user.split(/[\s._@-]+/).filter(Boolean);
  const letters = words.length > 1 ? words.slice(0, 2).map((word) => [...word][0]) : [...(words[0] ?? "–")].slice(0, 2);
  return letters.join("").toUpperCase();
}
