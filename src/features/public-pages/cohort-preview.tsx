'use client';

import { useState } from 'react';
import { longDay } from '#lib/time/words.ts';
import { type ReadField, useTyped } from '#ui/use-typed.ts';

type PreviewTexts = {
  untitled: string;
  notYet: string;
  checkDate: string;
  noLimit: string;
  /** With `#` in the place of the number. */
  places: string;
  placesAndWaitlist: string;
  /** By the values of the field. */
  joining: Record<string, string>;
  labels: { first: string; last: string; zone: string; places: string; joining: string };
  /** What comes after creating it. */
  next: string;
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
    const next = typedIn(ref.current?.closest('form') ?? null, read);
    setTyped((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next));
  });
  const { labels } = texts;
  const isBackwards = typed !== null && typed.ends_on !== '' && typed.ends_on < typed.starts_on;
  const dayOr = (day: string | undefined) => (day ? longDay(day, locale) : texts.notYet);
  const facts = [
    [labels.first, dayOr(typed?.starts_on)],
    [labels.last, isBackwards ? texts.checkDate : dayOr(typed?.ends_on)],
    [labels.zone, typed?.city || texts.notYet],
    [labels.places, placesOf(typed, texts)],
    [labels.joining, texts.joining[typed?.join_mode ?? 'open'] ?? ''],
  ];
  return (
    <div ref={ref} className="cohort-preview" data-blank={typed === null || undefined}>
      <div className="booklet" aria-hidden="true">
        <div className="cover" data-hue={hue}>
          <small dir="auto">{course}</small>
          <p dir="auto">{typed?.name.trim() || texts.untitled}</p>
        </div>
        <dl className="facts">
          {facts.map(([label, value]) => (
            <div key={label} data-wrong={(label === labels.last && isBackwards) || undefined}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      <p className="hint">{texts.next}</p>
    </div>
  );
}

function typedIn(form: HTMLFormElement | null, read: ReadField) {
  const zone = form?.elements.namedItem('time_zone');
  const city = zone instanceof HTMLSelectElement ? zone.selectedOptions[0]?.text : '';
  return {
    name: read('name'),
    starts_on: read('starts_on'),
    ends_on: read('ends_on'),
    capacity: read('capacity').trim(),
    waitlist: read('waitlist'),
    join_mode: read('join_mode'),
    city: (zone instanceof HTMLSelectElement && zone.value && city) || '',
  };
}

function placesOf(typed: Typed | null, texts: PreviewTexts): string {
  if (!typed?.capacity) {
    return texts.noLimit;
  }
  const text = typed.waitlist === 'on' ? texts.placesAndWaitlist : texts.places;
  return text.replace('#', typed.capacity);
}
