import { useEffect, useEffectEvent, useId, useState, type KeyboardEvent } from "react";
import { nextIndex, pointedAt, type ComboOption, type LoadOptions, type Pointed } from "./listbox.ts";
import { optionId } from "./Listbox.tsx";
import { useOptions, type Options } from "./use-options.ts";

interface Setup {
  options: readonly ComboOption[] | undefined;
  load: LoadOptions | undefined;
  onChoose: (option: ComboOption) => void;
  /** Enter takes the first option that fits what is typed, even where it is pressed before they are there. */
  takesFirst?: boolean;
  /** Called for keys that the list does not want. */
  onOtherKey?: ((event: KeyboardEvent<HTMLInputElement>) => void) | undefined;
}

export interface ComboboxState {
  listId: string;
  open: boolean;
  query: string;
  active: number;
  options: Options;
  setActive: (index: number) => void;
  setQuery: (query: string) => void;
  show: () => void;
  close: () => void;
  choose: (option: ComboOption) => void;
  keyDown: (event: KeyboardEvent<HTMLInputElement>) => void;
  aria: Record<string, string | boolean | undefined>;
}

/**
 * The behavior of the ARIA authoring practices' combobox with list autocomplete and manual selection: the arrows move
 * through the list by `aria-activedescendant`, Enter takes the option under them or the only one that is left, Escape
 * closes the list first and clears second. Nothing is chosen by typing alone.
 */
export function useCombobox({ options: given, load, onChoose, onOtherKey, takesFirst = false }: Setup): ComboboxState {
  const listId = useId();
  const [open, setOpen] = useState(false);
  const [query, setQuery] = useState("");
  const [pointed, setPointed] = useState<Pointed>({ index: -1 });
  const options = useOptions(given, load, query, open);
  const count = options.options.length;
  // What was under the arrows may be gone, or at another place, when the answer to what is typed comes.
  const at = pointedAt(options.options, pointed);
  const isFirstMeant = takesFirst && query !== "" && count > 0 && options.state === "ready";
  const active = at === -1 && isFirstMeant ? 0 : at;
  const [isAhead, setAhead] = useState(false);
  const takeFirst = useEffectEvent(() => {
    const [first] = options.options;
    if (first && !first.disabledReason) onChoose(first);
  });
  useEffect(() => {
    if (!isAhead || options.state === "loading") return;
    setAhead(false);
    if (options.state === "ready") takeFirst();
  }, [isAhead, options.state]);
  const setActive = (index: number) => setPointed({ index, value: options.options[index]?.value });

  function close() {
    setOpen(false);
    setActive(-1);
  }
  function keyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.nativeEvent.isComposing) return;
    const next = open ? nextIndex(event.key, active, count) : undefined;
    // while a search is under way, the list is still that of the text before
    const only = query !== "" && count === 1 && options.state === "ready" ? 0 : -1;
    const option = options.options[active >= 0 ? active : only];
    if (next !== undefined) {
      event.preventDefault();
      setActive(next);
    } else if (!open && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      setOpen(true);
      setActive(event.key === "ArrowUp" ? count - 1 : event.altKey ? -1 : 0);
    } else if (open && event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
      // what is typed is a search: Enter must not send the form around it with the choice that was there before
      event.preventDefault();
      if (takesFirst && query !== "" && options.state === "loading") setAhead(true);
      else if (option && !option.disabledReason) onChoose(option);
    } else if (open && event.key === "Escape") {
      event.preventDefault();
      close();
    } else onOtherKey?.(event);
  }
  return {
    listId,
    open,
    query,
    active,
    options,
    setActive,
    setQuery(next) {
      setQuery(next);
      setActive(-1);
      setAhead(false);
      setOpen(true);
    },
    show: () => setOpen(true),
    close,
    choose: onChoose,
    keyDown,
    aria: {
      role: "combobox",
      "aria-autocomplete": "list",
      "aria-expanded": open,
      "aria-controls": open ? listId : undefined,
      "aria-activedescendant": open && active >= 0 ? optionId(listId, active) : undefined,
    },
  };
}
