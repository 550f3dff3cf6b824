import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { explain } from "../api/error-messages.ts";
import { signOut } from "../api/sign-in.ts";
import { paths } from "../paths.ts";
import { clearToasts, toast } from "../ui/toast.ts";

/** The gateway serves nothing here: a link from elsewhere must not sign anybody out. */
export const signOutPath = "/sign-out";

/** Signs out. It goes to a page that does it, so that what was typed is asked about, as on any other way out. */
export function useSignOut(): () => void {
  const router = useRouter();
  return () => void router.navigate({ to: signOutPath });
}

/** Ends the session and goes to the sign-in page. A sign-out that did not reach the gateway says so, and goes back. */
export function SignOutPage() {
  const client = useQueryClient();
  const router = useRouter();
  useEffect(() => {
    signOut(client)
      .then(() => {
        clearToasts();
        return router.navigate({ to: paths.signIn(), replace: true });
      })
      .catch((error: unknown) => {
        toast({ message: "You are still signed in.", detail: explain(error).title, tone: "trouble" });
        router.history.back();
      });
  }, [client, router]);
  return null;
}
