import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { explain } from "../api/error-messages.ts";
import { signOut } from "../api/sign-in.ts";
import { paths } from "../paths.ts";
import { clearToasts, toast } from "../ui/toast.ts";

/** Signs out and goes to the sign-in page. A sign-out that did not reach the gateway says so: the session still works. */
export function useSignOut(): () => void {
  const client = useQueryClient();
  const router = useRouter();
  return () => {
    signOut(client)
      .then(() => {
        clearToasts();
        return router.navigate({ to: paths.signIn() });
      })
      .catch((error: unknown) =>
        toast({ message: "You are still signed in.", detail: explain(error).title, tone: "trouble" }),
      );
  };
}
