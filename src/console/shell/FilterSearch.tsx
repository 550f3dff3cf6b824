import { Search } from "lucide-react";
import { useRef } from "react";
import { useShortcut } from "./shortcuts.ts";
import { Kbd } from "../ui/Kbd.tsx";
import { TextInput } from "../ui/TextInput.tsx";

interface FilterSearchProps {
  /** what `/` does, for the list of shortcuts */
  shortcut: string;
  label: string;
  placeholder: string;
  /** as it is in the address */
  value: string | undefined;
  /** hears each keystroke; undefined for an empty text */
  onChange: (text: string | undefined) => void;
  onBlur?: () => void;
  className?: string;
}

/** The text that the rows of a table are narrowed by, as it is typed. */
export function FilterSearch(props: FilterSearchProps) {
  const { shortcut, label, placeholder, value = "", onChange, onBlur, className = "w-64 max-md:w-full" } = props;
  const field = useRef<HTMLInputElement>(null);
  useShortcut("/", shortcut, () => field.current?.focus());
  const typed = (text: string) => onChange(text === "" ? undefined : text);
  return (
    <TextInput
      ref={field}
      type="search"
      prefix={<Search size={14} aria-hidden="true" />}
      suffix={<Kbd>/</Kbd>}
      aria-label={label}
      placeholder={placeholder}
      spellCheck={false}
      className={className}
      value={value}
      onChange={(event) => typed(event.target.value)}
      onBlur={onBlur}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || value === "") return;
        event.preventDefault();
        typed("");
      }}
    />
  );
}
