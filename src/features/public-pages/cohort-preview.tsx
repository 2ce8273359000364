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
  return (
    <div ref={ref} className="cohort-preview" data-blank={typed === null || undefined}>
      <div className="booklet" aria-hidden="true">
        <div className="cover" data-hue={hue}>
          <small dir="auto">{course}</small>
          <p dir="auto">{typed?.name.trim() || texts.untitled}</p>
        </div>
        <dl className="facts">
          <Fact label={labels.first} value={dayOr(typed?.starts_on)} />
          <Fact
            label={labels.last}
            value={isBackwards ? texts.checkDate : dayOr(typed?.ends_on)}
            isWrong={isBackwards}
          />
          <Fact label={labels.zone} value={typed?.city || texts.notYet} />
          <Fact label={labels.places} value={placesOf(typed, texts)} />
          <Fact label={labels.joining} value={texts.joining[typed?.join_mode ?? 'open'] ?? ''} />
        </dl>
      </div>
      <p className="hint">{texts.next}</p>
    </div>
  );
}

function Fact({ label, value, isWrong }: { label: string; value: string; isWrong?: boolean }) {
  return (
    <div data-wrong={isWrong || undefined}>
      <dt>{label}</dt>
      <dd>{value}</dd>
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
