import { useState } from "react";
import { cx } from "./cx.ts";
import { TextInput, type TextInputProps } from "./TextInput.tsx";

export type PasswordInputProps = Omit<TextInputProps, "type" | "suffix" | "figures">;

/** A secret that is typed or pasted, with Show. Paste and password managers work; spelling help is kept away from it. */
export function PasswordInput({ autoComplete = "current-password", ...rest }: PasswordInputProps) {
  const [shown, setShown] = useState(false);
  return (
    <TextInput
      mono
      {...rest}
      type={shown ? "text" : "password"}
      autoComplete={autoComplete}
      spellCheck={false}
      autoCapitalize="none"
      suffix={
        <button
          type="button"
          aria-pressed={shown}
          aria-label="Show what is typed"
          onClick={() => setShown(!shown)}
          className={cx("h-7 px-1.5 -mr-1.5 rounded-1 text-12", shown ? "text-fg-1" : "text-fg-2 hover:text-fg-1")}
        >
          {shown ? "Hide" : "Show"}
        </button>
      }
    />
  );
}
