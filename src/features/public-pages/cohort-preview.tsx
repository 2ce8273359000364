'use client';

import { useState } from 'react';
import { termIn, timesOf, weekdayNames } from '#features/planning/term-fields.tsx';
import { minorUnits, priceOf } from '#lib/price.ts';
import { dayOfYear } from '#lib/time/words.ts';
import { type ReadField, useTyped } from '#ui/use-typed.ts';

type PreviewTexts = {
  untitled: string;
  notYet: string;
  checkDate: string;
  noLimit: string;
  /** With `#` in the place of the number. */
  places: string;
  /** `$850, early $790` with `#1` and `#2`. */
  earlyPrice: string;
  noPrice: string;
  noSessions: string;
  labels: Record<'sessions' | 'time' | 'first' | 'last' | 'places' | 'price', string>;
};

type CohortPreviewProps = {
  course: string;
  hue: string;
  locale: string;
  texts: PreviewTexts;
};

type Typed = ReturnType<typeof typedIn>;

/** The cohort as it is typed, which is not read out: it says again what the fields say. */
export function CohortPreview({ course, hue, locale, texts }: CohortPreviewProps) {
  const [typed, setTyped] = useState<Typed | null>(null);
  const ref = useTyped((read) => {
    const next = typedIn(ref.current?.closest('form') ?? null, read, locale);
    setTyped((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next));
  });
  const { labels } = texts;
  const isBackwards = typed !== null && typed.ends_on !== '' && typed.ends_on < typed.starts_on;
  const dayOr = (day: string | undefined) => (day ? dayOfYear(day, locale) : texts.notYet);
  const facts = [
    [labels.sessions, typed?.sessions || texts.noSessions],
    [labels.time, typed?.times || texts.notYet],
    [labels.first, dayOr(typed?.starts_on)],
    [labels.last, isBackwards ? texts.checkDate : dayOr(typed?.ends_on)],
    [labels.places, typed?.capacity ? texts.places.replace('#', typed.capacity) : texts.noLimit],
    [labels.price, priceTyped(typed, texts, locale)],
  ];
  return (
    <div
      ref={ref}
      // Until a script has read what is typed.
      className="cohort-preview sticky top-6 grid gap-3 self-start data-blank:invisible"
      data-blank={typed === null || undefined}
    >
      <div className="booklet" aria-hidden="true">
        <div className="cover" data-hue={hue}>
          <small dir="auto">{course}</small>
          <p dir="auto">{typed?.name.trim() || texts.untitled}</p>
        </div>
        <dl className="facts">
          {facts.map(([label, value]) => (
            <div key={label} className="first:border-t-0">
              <dt className="flex-none">{label}</dt>
              <dd
                className={
                  label === labels.last && isBackwards ? 'text-end text-danger' : 'text-end'
                }
              >
                {value}
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </div>
  );
}

function typedIn(form: HTMLFormElement | null, read: ReadField, locale: string) {
  const term = form && termIn(form);
  const count = term?.rows.filter(({ isOff }) => !isOff).length ?? 0;
  const days = weekdayNames(term?.weekdays ?? [], 2, locale);
  return {
    name: read('name'),
    starts_on: read('starts_on'),
    ends_on: read('ends_on'),
    sessions: count === 0 ? '' : [String(count), days].filter(Boolean).join(', '),
    times: count === 0 || term === null ? '' : timesOf(term.starts, term.ends, locale),
    capacity: read('capacity').trim(),
    currency: read('currency').trim().toUpperCase(),
    price: read('price_minor').trim(),
    early: read('early_price_minor').trim(),
  };
}

function priceTyped(typed: Typed | null, texts: PreviewTexts, locale: string): string {
  const amount = (text = '') => {
    const currency = typed?.currency ?? '';
    const minor = minorUnits(text, currency, locale);
    const isReadable = minor !== null && !Number.isNaN(minor) && /^[A-Z]{3}$/.test(currency);
    return isReadable ? priceOf(minor, currency, locale) : text;
  };
  if (!typed?.price) {
    return texts.noPrice;
  }
  return typed.early === ''
    ? amount(typed.price)
    : texts.earlyPrice.replace('#1', amount(typed.price)).replace('#2', amount(typed.early));
}
