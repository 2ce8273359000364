import { type RefObject, useContext, useEffect, useRef } from 'react';
import { FormContext } from './form.tsx';

/** Returns what a field contains, by its name, also while the form is disabled. */
export type ReadField = (name: string) => string;

/**
 * Follows what is typed into the form around an element.
 *
 * @param look called once hydrated, with every change of a field, and after the form was sent
 * @returns the ref of the element
 */
export function useTyped(look: (read: ReadField) => void): RefObject<HTMLDivElement | null> {
  const ref = useRef<HTMLDivElement>(null);
  // Renders again when the form was sent, which fills the fields again.
  useContext(FormContext);
  useEffect(() => {
    const form = ref.current?.closest('form') ?? null;
    const lookAgain = () => look((name) => valueIn(form, name));
    lookAgain();
    form?.addEventListener('input', lookAgain);
    return () => form?.removeEventListener('input', lookAgain);
  });
  return ref;
}

function valueIn(form: HTMLFormElement | null, name: string): string {
  const field = form?.elements.namedItem(name);
  if (field instanceof RadioNodeList) {
    // A box to check, after what stands for an unchecked one.
    const values = [...new FormData(form ?? undefined).getAll(name)];
    return field.value || String(values.at(-1) ?? '');
  }
  return field instanceof HTMLInputElement ||
    field instanceof HTMLSelectElement ||
    field instanceof HTMLTextAreaElement
    ? field.value
    : '';
}
