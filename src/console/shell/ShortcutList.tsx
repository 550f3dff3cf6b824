import { useStore } from "../api/store.ts";
import { usePreference } from "../preferences.ts";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { Kbd } from "../ui/Kbd.tsx";
import { withMod } from "../ui/mod-key.ts";
import { shortcutList } from "./overlays.ts";
import { useShortcuts } from "./shortcuts.ts";

/** What can be pressed on this page, behind `?`. */
export function ShortcutList() {
  return useStore(shortcutList) ? <List /> : null;
}

function List() {
  const shortcuts = useShortcuts();
  const close = () => shortcutList.set(false);
  const single = usePreference("shortcuts");
  return (
    <Dialog
      title="Shortcuts on this page"
      onDismiss={close}
      outside="dismiss"
      footer={<Button onClick={close}>Close</Button>}
    >
      {/* what scrolls can be reached by keyboard */}
      <dl tabIndex={0} className="grid p-2 grid-cols-[1fr_max-content] gap-x-6 gap-y-2 text-13">
        {shortcuts.map((shortcut) => (
          <div key={`${shortcut.keys} ${shortcut.label}`} className="contents">
            <dt className="text-fg-2">{shortcut.label}</dt>
            <dd className="flex justify-end gap-1">
              {(shortcut.keys === " " ? ["Space"] : shortcut.keys.split(" ")).map((key, index) => (
                <span key={index} className="flex gap-1">
                  {index > 0 && <span className="text-fg-3">then</span>}
                  <Keys keys={key} />
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      {single === "off" && (
        <p className="pt-4 text-12 text-fg-3">
          Single-key shortcuts are switched off; the account menu switches them on.
        </p>
      )}
    </Dialog>
  );
}

function Keys({ keys }: { keys: string }) {
  const shown = keys.replace("mod+", withMod("")).replace(/\b[a-z]$/, (letter) => letter.toUpperCase());
  return (
    <>
      <Kbd>{shown}</Kbd>
      <span className="sr-only">{shown}</span>
    </>
  );
}
