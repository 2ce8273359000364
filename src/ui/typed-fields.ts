export type FormField = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const fieldSelector = 'form :is(input, textarea, select)[name]:not([data-transient])';

/**
 * The visible fields whose content is stored nowhere yet: changed, or sent, after which it is what
 * they have at first (`data-unsaved`). Fields with `data-transient` do not count.
 */
export function typedFields(): FormField[] {
  return fieldsIn(document, fieldSelector).filter(
    (field) =>
      field.checkVisibility() && (field.closest('[data-unsaved]') !== null || isChanged(field)),
  );
}

/** @param selector finds form fields only */
export function fieldsIn(place: Document | HTMLElement, selector: string): FormField[] {
  // The worker's types have an `Element` of their own, which is not a form field's.
  return [...place.querySelectorAll<HTMLElement>(selector)] as FormField[];
}

/** Whether a field contains something else than at first. */
export function isChanged(field: FormField): boolean {
  if (field instanceof HTMLSelectElement) {
    return [...field.options].some(({ selected, defaultSelected }) => selected !== defaultSelected);
  }
  return isChoice(field)
    ? field.checked !== field.defaultChecked
    : field.value !== field.defaultValue;
}

/** Whether a field is chosen or not, instead of filled in. */
export function isChoice(field: FormField): field is HTMLInputElement {
  return field.type === 'radio' || field.type === 'checkbox';
}

/** Focuses a field, unless that would bring up a keyboard on the screen. */
export function focusOnDesk(field: Pick<HTMLElement, 'focus'> | null): void {
  if (window.matchMedia('(hover: hover) and (pointer: fine)').matches) {
    field?.focus();
  }
}
