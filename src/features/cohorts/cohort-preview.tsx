'use client';

import { useEffect, useState } from 'react';
import { guardChanges, guardUnload } from '#client/may-lose-changes.ts';
import { markChanges } from '#client/unsaved.ts';
import { longDay } from '#lib/time/words.ts';
import { isChanged } from '#ui/typed-fields.ts';
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
};

type CohortPreviewProps = {
  course: string;
  hue: string;
  locale: string;
  texts: PreviewTexts;
};

type Typed = Record<
  'name' | 'starts_on' | 'ends_on' | 'capacity' | 'waitlist' | 'join_mode',
  string
> & {
  city: string;
};

/** The cohort as it is typed. It says again what the fields say, so it is not read out. */
export function CohortPreview({ course, hue, locale, texts }: CohortPreviewProps) {
  const [typed, setTyped] = useState<Typed | null>(null);
  const [proposed, setProposed] = useState('');
  const ref = useTyped((read) => {
    const form = ref.current?.closest('form') ?? null;
    const name = proposedName(read('starts_on'), locale);
    // Only what no one has typed is changed.
    if (name !== proposed && (read('name') === '' || read('name') === proposed)) {
      fill(form, name);
      setProposed(name);
    }
    const differs = isTyped(form, read, name);
    markChanges(ref.current, differs ? 'course' : null);
    if (differs) {
      guardUnload();
    }
    const next = typedIn(form, read);
    setTyped((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next));
  });
  // Before the first change, because people may leave right after it.
  useEffect(() => void guardChanges(), []);
  const { labels } = texts;
  const isBackwards = typed !== null && typed.ends_on !== '' && typed.ends_on < typed.starts_on;
  const dayOr = (day: string | undefined) => (day ? longDay(day, locale) : texts.notYet);
  return (
    <div
      ref={ref}
      className="booklet cohort-preview"
      data-blank={typed === null || undefined}
      aria-hidden="true"
    >
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
  );
}

type FactProps = { label: string; value: string; isWrong?: boolean };

function Fact({ label, value, isWrong }: FactProps) {
  return (
    <div data-wrong={isWrong || undefined}>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** The month in which it begins: `January 2027`. */
function proposedName(day: string, locale: string): string {
  const month = new Intl.DateTimeFormat(locale, {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  const name = day === '' ? '' : month.format(new Date(day));
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function fill(form: HTMLFormElement | null, name: string): void {
  const field = form?.elements.namedItem('name');
  if (field instanceof HTMLInputElement) {
    field.value = name;
  }
}

/** Whether something would be lost. */
function isTyped(form: HTMLFormElement | null, read: ReadField, proposed: string): boolean {
  const name = read('name');
  const isNamed = name !== '' && name !== proposed;
  const isFilled = ['starts_on', 'ends_on', 'capacity'].some((field) => read(field) !== '');
  const isChosen = (read('join_mode') || 'open') !== 'open' || read('waitlist') === 'off';
  const zone = form?.elements.namedItem('time_zone');
  // The browser's own is proposed.
  return isNamed || isFilled || isChosen || (zone instanceof HTMLSelectElement && isChanged(zone));
}

function typedIn(form: HTMLFormElement | null, read: ReadField): Typed {
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
