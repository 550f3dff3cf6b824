/** As the ref of the active option of a list: the list scrolls to it when it becomes active. */
export function scrollIntoView(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: "nearest" });
}
