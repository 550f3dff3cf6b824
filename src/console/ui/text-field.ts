const textless = ["checkbox", "radio", "button", "submit", "reset", "range", "color", "file", "image"];

/** What a person types into, or chooses from by typing. A checkbox takes no letters. */
const textField = [
  `input${textless.map((type) => `:not([type=${type}])`).join("")}`,
  "textarea, select, [role=textbox], [role=searchbox], [role=combobox], [role=spinbutton]",
].join(", ");

export function isTextField(element: Element | null): boolean {
  return element instanceof HTMLElement && (element.isContentEditable || element.matches(textField));
}
