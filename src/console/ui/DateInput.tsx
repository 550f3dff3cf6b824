import { Calendar } from "lucide-react";
import { useRef } from "react";
import { IconButton } from "./IconButton.tsx";
import { TextInput, type TextInputProps } from "./TextInput.tsx";

export interface DateInputProps extends TextInputProps {
  /** the first and last day that the calendar offers, `YYYY-MM-DD` */
  min?: string;
  max?: string;
  /** a day was chosen in the calendar; the field holds it already */
  onPick?: (day: string) => void;
}

/**
 * A day as `YYYY-MM-DD`, whatever the browser's language: a native field would show 02/19/2027 next to "19 Feb 2027".
 * The button opens the platform's own calendar.
 */
export function DateInput({ min, max, onPick, suffix, ...rest }: DateInputProps) {
  const frame = useRef<HTMLSpanElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const field = () => frame.current?.querySelector<HTMLInputElement>("input[type=text]");
  return (
    <span ref={frame} className="relative inline-flex">
      <TextInput
        inputMode="numeric"
        placeholder="YYYY-MM-DD"
        maxLength={10}
        spellCheck={false}
        {...rest}
        suffix={
          <span className="-mr-1.5 flex items-center gap-1">
            {suffix}
            <IconButton
              label="Open the calendar"
              onClick={() => {
                if (!picker.current) return;
                picker.current.value = field()?.value ?? "";
                picker.current.showPicker();
              }}
            >
              <Calendar size={14} aria-hidden="true" />
            </IconButton>
          </span>
        }
      />
      <input
        ref={picker}
        type="date"
        tabIndex={-1}
        aria-hidden="true"
        min={min}
        max={max}
        className="pointer-events-none absolute right-0 bottom-0 size-px opacity-0"
        onChange={(event) => {
          const day = event.target.value;
          const text = field();
          if (day === "" || !text) return;
          write(text, day);
          text.focus();
          onPick?.(day);
        }}
      />
    </span>
  );
}

/** A time of day as `HH:mm:ss` on 24 hours. */
export function TimeInput(props: TextInputProps) {
  return <TextInput inputMode="numeric" placeholder="HH:mm:ss" maxLength={8} spellCheck={false} {...props} />;
}

/** As if it had been typed, so that React hears of it whether or not it holds the value. */
function write(field: HTMLInputElement, text: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, text);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
