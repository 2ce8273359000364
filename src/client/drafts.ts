import { withStorage } from '#lib/browser-storage.ts';
import { type FormField, fieldsIn, focusOnDesk, isChoice, typedFields } from '#ui/typed-fields.ts';

/** In the session storage of this tab. */
const key = 'draft';
/** More than anyone types while a session ends; the storage belongs to the whole site. */
const maxLength = 20_000;
const lifetimeMs = 60 * 60 * 1000;

type Draft = {
  viewerId: string;
  path: string;
  at: number;
  fields: { within: string; name: string; value: string; isChosen: boolean }[];
};

/**
 * Keeps what is typed on the page, in this tab, until its user is back after a new login.
 *
 * @param viewerId the only user who gets it back
 */
export function keepDraft(viewerId: string): void {
  const draft: Draft = {
    viewerId,
    path: window.location.pathname,
    at: Date.now(),
    fields: typedFields().map((field) => ({
      // The part of the page that its form is in: a section or a dialog.
      within: field.form?.closest('[id]')?.id ?? '',
      name: field.name,
      value: field.value,
      isChosen: !isChoice(field) || field.checked,
    })),
  };
  const text = JSON.stringify(draft);
  if (draft.fields.length > 0 && text.length <= maxLength) {
    withStorage('sessionStorage', (storage) => storage.setItem(key, text));
  }
}

/** Fills in what was kept on this page for this user, once, and goes to the first field of it. */
export function restoreDraft(viewerId: string): void {
  const draft = draftIn(withStorage('sessionStorage', (storage) => storage.getItem(key)));
  if (draft === null) {
    return;
  }
  const isTheirs = draft.viewerId === viewerId && Date.now() - draft.at < lifetimeMs;
  if (isTheirs && draft.path !== window.location.pathname) {
    return;
  }
  forgetDraft();
  if (isTheirs) {
    const filled = draft.fields.flatMap(({ within, name, value, isChosen }) => {
      const place = document.getElementById(within) ?? document;
      // Not what stands for an unchecked box.
      const named = fieldsIn(place, `form [name="${CSS.escape(name)}"]:not([type="hidden"])`);
      const field = named.find((one) => !isChoice(one) || one.value === value);
      if (field !== undefined) {
        fill(field, value, isChosen);
      }
      return field ?? [];
    });
    filled[0]?.scrollIntoView({ block: 'center' });
    focusOnDesk(filled[0] ?? null);
  }
}

/** Deletes the draft, of whichever user it is. */
export function forgetDraft(): void {
  withStorage('sessionStorage', (storage) => storage.removeItem(key));
}

/** Written by `keepDraft`; what cannot be read is discarded. */
function draftIn(text: string | null): Draft | null {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

/** Fills a field as its user would, so that its form notices. */
function fill(field: FormField, value: string, isChosen: boolean): void {
  const dialog = field.closest('dialog');
  if (dialog !== null && !dialog.open) {
    dialog.showModal();
  }
  if (isChoice(field)) {
    if (field.checked !== isChosen) {
      field.click();
    }
    return;
  }
  // React ignores the event of a value that was set on the field itself.
  const property = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value');
  property?.set?.call(field, value);
  field.dispatchEvent(
    new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }),
  );
}
