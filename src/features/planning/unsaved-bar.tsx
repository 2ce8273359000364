'use client';

import { useContext, useState } from 'react';
import { markChanges } from '#client/unsaved.ts';
import type { IsSaved } from '#features/settings/save-form.tsx';
import { type Numbered, withNumber } from '#lib/numbered-texts.ts';
import { FormContext, SubmitButton } from '#ui/form.tsx';
import { useTyped } from '#ui/use-typed.ts';

export type UnsavedTexts = Record<'save' | 'saving' | 'discard' | 'more' | 'locale', string> &
  Record<'changes' | 'errors', Numbered>;

type UnsavedBarProps = {
  isSaved: IsSaved;
  /** How the fields are called, by their names. */
  labels: Record<string, string>;
  texts: UnsavedTexts;
  onDiscard: () => void;
};

/** As many are named. */
const mostNamed = 3;

/** What a long form would change, at the bottom of the window, with the button that saves it. */
export function UnsavedBar({ isSaved, labels, texts, onDiscard }: UnsavedBarProps) {
  const { isPending, errorOf, problem } = useContext(FormContext);
  const [changed, setChanged] = useState('');
  const ref = useTyped((read) => {
    const names = Object.keys(labels).filter((name) => !isSaved(name, read(name)));
    setChanged(names.join());
    markChanges(ref.current, names.length > 0 ? 'cohort' : null);
    markFields(ref.current?.closest('form') ?? null, Object.keys(labels), names);
  });
  const names = changed === '' ? [] : changed.split(',');
  // Two parts of one thing, such as a day and its time, have one label.
  const shown = [...new Set(names.map((name) => labels[name] ?? ''))];
  const wrong = Object.keys(labels).filter((name) => errorOf(name) !== undefined).length;
  const more = shown.length - mostNamed;
  return (
    // Enter in a field saves also while it is hidden.
    <div ref={ref} className="unsaved-bar" hidden={names.length === 0 && !isPending}>
      <div className="mx-auto flex min-h-12 max-w-240 flex-wrap items-center justify-between gap-x-8 gap-y-2">
        <p
          role="status"
          className="flex min-w-0 flex-[1_1_16rem] items-baseline gap-3 wrap-anywhere"
        >
          <span className="size-2 flex-none bg-warn forced-color-adjust-none" />
          {wrong > 0 ? (
            <button type="button" className="link" onClick={focusFirstError}>
              {withNumber(texts.errors, wrong, texts.locale)}
            </button>
          ) : (
            <span>
              {problem || (
                <>
                  <strong className="font-semibold text-ink">
                    {withNumber(texts.changes, shown.length, texts.locale)}
                  </strong>{' '}
                  {shown.slice(0, mostNamed).join(', ')}
                  {more > 0 && ` ${texts.more.replace('#', String(more))}`}
                </>
              )}
            </span>
          )}
        </p>
        <div className="actions">
          <button
            type="button"
            className="button button-quiet"
            disabled={isPending}
            onClick={onDiscard}
          >
            {texts.discard}
          </button>
          <SubmitButton label={texts.save} pendingLabel={texts.saving} />
        </div>
      </div>
    </div>
  );
}

/** Lets styles show which fields differ. */
function markFields(form: HTMLFormElement | null, all: string[], changed: string[]): void {
  for (const name of all) {
    const field = form?.querySelector(`[name="${name}"]`)?.closest<HTMLElement>('.field, .check');
    field?.toggleAttribute('data-changed', changed.includes(name));
  }
}

function focusFirstError(): void {
  document.querySelector<HTMLElement>('form [aria-invalid="true"]')?.focus();
}
