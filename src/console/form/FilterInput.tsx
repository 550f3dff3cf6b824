import { useState } from "react";
import { TextInput, type TextInputProps } from "../ui/TextInput.tsx";

interface FilterInputProps extends Omit<TextInputProps, "value" | "defaultValue" | "onChange"> {
  /** as it is in the address */
  value: string | undefined;
  /** hears the text, trimmed; undefined for an empty one */
  onTake: (text: string | undefined) => void;
}

/** A text filter. It applies on Enter or on leaving the field, and otherwise follows the URL. */
export function FilterInput({ value = "", onTake, ...input }: FilterInputProps) {
  const [text, setText] = useState(value);
  const [followed, setFollowed] = useState(value);
  const [focused, setFocused] = useState(false);
  if (value !== followed) {
    setFollowed(value);
    if (!focused) setText(value);
  }
  const take = () => onTake(text.trim() || undefined);
  return (
    <TextInput
      {...input}
      value={text}
      spellCheck={false}
      onChange={(event) => setText(event.target.value)}
      onFocus={() => setFocused(true)}
      onBlur={() => {
        setFocused(false);
        take();
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter") take();
      }}
    />
  );
}
