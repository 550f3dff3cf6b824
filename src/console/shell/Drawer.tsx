import * as Dialog from "@radix-ui/react-dialog";
import { useStore } from "../api/store.ts";
import { useReturnFocus } from "../ui/return-focus.ts";
import { drawer } from "./overlays.ts";
import { Sidebar } from "./Sidebar.tsx";

/** The sidebar where there is no room for it, behind the menu button. */
export function Drawer() {
  const open = useStore(drawer);
  const focus = useReturnFocus();
  return (
    <Dialog.Root open={open} onOpenChange={(next) => drawer.set(next)}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-20 bg-scrim lg:hidden" />
        <Dialog.Content
          aria-describedby={undefined}
          onOpenAutoFocus={focus.remember}
          onCloseAutoFocus={focus.giveBack}
          className="fixed inset-y-0 left-0 z-21 w-64 overflow-y-auto border-r border-line bg-bg-2 outline-none lg:hidden"
        >
          <Dialog.Title className="sr-only">Menu</Dialog.Title>
          <Sidebar />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
