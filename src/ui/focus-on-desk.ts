/** Focuses a field, unless that would bring up a keyboard on the screen. */
export function focusOnDesk(field: Pick<HTMLElement, 'focus'> | null): void {
  if (window.matchMedia('(hover: hover) and (pointer: fine)').matches) {
    field?.focus();
  }
}
