import { CommandMenu } from "./CommandMenu.tsx";
import { Drawer } from "./Drawer.tsx";
import { PageCalls } from "./PageCalls.tsx";
import { ShortcutList } from "./ShortcutList.tsx";
import { SignInAgain } from "./SignInAgain.tsx";

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
