import { useSession } from "../api/session.ts";
import { Dialog } from "../ui/Dialog.tsx";
import { CommandMenu } from "./CommandMenu.tsx";
import { Drawer } from "./Drawer.tsx";
import { PageCalls } from "./PageCalls.tsx";
import { ShortcutList } from "./ShortcutList.tsx";
import { SignInForm } from "./SignInForm.tsx";

/** Everything that can lie over a page, in one piece of code that arrives after the page is there. */
export function Overlays() {
  return (
    <>
      <Drawer />
      <CommandMenu />
      <ShortcutList />
      <PageCalls />
      <SignInAgain />
    </>
  );
}

/** Lies over an open page whose session ended. The page below stays as it is, with what was typed into it. */
function SignInAgain() {
  const session = useSession();
  if (session.state !== "ended") return null;
  return (
    <Dialog title="Your session ended" onDismiss={() => undefined}>
      <p className="pb-4 text-13 text-fg-2">
        {session.keyEnded
          ? `The management key ${session.record.user} no longer works. Sign in with another one to continue.`
          : `Sign in again to continue as ${session.record.user}. What you entered is kept; nothing was sent twice.`}
      </p>
      <SignInForm />
    </Dialog>
  );
}
