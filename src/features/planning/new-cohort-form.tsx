'use client';

import { type ReactNode, useEffect, useRef } from 'react';
import { ApiForm, type FormErrors, type Values } from '#client/api-form.tsx';
import { checkBySchema } from '#client/check-by-schema.ts';
import { leaveFor } from '#client/leave.ts';
import { giveUpChanges, markChanges } from '#client/unsaved.ts';
import { cohortPaths } from '#features/cohorts/cohort-paths.ts';
import { cohortConflicts, toCohortInput } from '#features/cohorts/form-values.ts';
import { minutesBetween, rowsIn, scheduleOf } from '#features/meetings/session-rows.ts';
import type { FormMessages } from '#i18n/validation.ts';
import { addDays, daysBetween, isDay } from '#lib/time/calendar.ts';
import { monthAndYear } from '#lib/time/words.ts';
import { paths } from '#paths.ts';
import { isChanged } from '#ui/typed-fields.ts';
import { type ReadField, useTyped } from '#ui/use-typed.ts';
import type { NewCohortInput } from './schema.ts';
import { isTermField, termIn } from './term-fields.tsx';

const check = checkBySchema(() => import('./schema.ts').then((schemas) => schemas.NewCohortInput));

type NewCohortFormProps = {
  courseId: string;
  messages: FormMessages;
  created: string;
  /** For a session without a title, with `#` in the place of its number. */
  untitled: string;
  children: ReactNode;
};

/** Creates a cohort with its sessions, and goes on to its page. */
export function NewCohortForm(props: NewCohortFormProps) {
  const { courseId, messages, created, untitled, children } = props;
  return (
    <ApiForm
      path={cohortPaths.ofCourse(courseId)}
      messages={messages}
      check={async (values) => ({
        ...(await check(toNewCohortInput(values, untitled))),
        ...wrongTimes(values),
      })}
      toInput={(values) => toNewCohortInput(values, untitled) as NewCohortInput}
      refusals={cohortConflicts}
      onDone={({ id }) => {
        giveUpChanges();
        return leaveFor(paths.cohort(id), created);
      }}
    >
      {/* First, so that what follows shows what it proposes. */}
      <Watch />
      {children}
    </ApiForm>
  );
}

function toNewCohortInput(values: Values, untitled: string): Record<string, unknown> {
  const { starts_time: clock = '', ends_time: end = '' } = values;
  const fields = Object.entries(values).filter(([name]) => !isTermField(name));
  const time = { clock, minutes: minutesBetween(clock, end) };
  const { meetings, days_off } = scheduleOf(rowsIn(values['sessions']), time, untitled);
  return {
    ...toCohortInput(Object.fromEntries(fields)),
    meetings: meetings.map(({ id: _new, ...meeting }) => meeting),
    days_off,
  };
}

/** The times of the sessions are those of two fields, which the API does not have. */
function wrongTimes(values: Values): FormErrors {
  if (rowsIn(values['sessions']).every(({ isOff }) => isOff)) {
    return {};
  }
  const minutes = minutesBetween(values['starts_time'] ?? '', values['ends_time'] ?? '');
  return {
    ...(!values['starts_time'] && { starts_time: 'time_required' }),
    ...(!values['ends_time'] && { ends_time: 'time_required' }),
    ...(minutes < 5 && { ends_time: 'duration_range' }),
  };
}

/** Proposes a name, and weeks or a last day, and knows whether something would be lost. */
function Watch() {
  const proposed = useRef('');
  const isLastTyped = useRef(false);
  const ref = useTyped((read) => {
    const form = ref.current?.closest('form') ?? null;
    const day = read('starts_on');
    const name = day === '' ? '' : monthAndYear(day, document.documentElement.lang);
    // Only what no one has typed is changed.
    if (name !== proposed.current && (read('name') === '' || read('name') === proposed.current)) {
      setField(form, 'name', name);
      proposed.current = name;
    }
    const differs = isTyped(form, read, name);
    markChanges(ref.current, differs ? 'course' : null);
  });
  useEffect(() => {
    const form = ref.current?.closest('form') ?? null;
    // While it goes down to the field, before others look at the form.
    const follow = ({ target }: Event) => {
      const name = target instanceof HTMLInputElement ? target.name : '';
      isLastTyped.current = name === 'ends_on' || (name !== 'weeks' && isLastTyped.current);
      proposeDays(form, name, isLastTyped.current);
    };
    form?.addEventListener('input', follow, { capture: true });
    return () => form?.removeEventListener('input', follow, { capture: true });
  }, [ref]);
  return <div ref={ref} hidden />;
}

/** The weeks propose the last day, until someone has typed it; then it proposes the weeks. */
function proposeDays(form: HTMLFormElement | null, name: string, isLastTyped: boolean): void {
  if (
    form === null ||
    !(['starts_on', 'ends_on', 'weeks'].includes(name) || /^weekday-/.test(name))
  ) {
    return;
  }
  const { from, to, weeks, days } = termIn(form);
  if (isLastTyped) {
    const length = isDay(from) && isDay(to) ? daysBetween(from, to) : -1;
    setField(form, 'weeks', length < 0 ? '' : String(Math.floor(length / 7) + 1));
  } else if (isDay(from) && weeks !== null) {
    const end = addDays(from, weeks * 7 - 1);
    setField(form, 'ends_on', days(end).at(-1) ?? end);
  }
}

function setField(form: HTMLFormElement | null, name: string, value: string): void {
  const field = form?.elements.namedItem(name);
  if (field instanceof HTMLInputElement) {
    field.value = value;
  }
}

const typedFields = [
  'starts_on',
  'ends_on',
  'weeks',
  'capacity',
  'price_minor',
  'early_price_minor',
];

function isTyped(form: HTMLFormElement | null, read: ReadField, proposed: string): boolean {
  const name = read('name');
  const isNamed = name !== '' && name !== proposed;
  const isFilled = typedFields.some((field) => read(field) !== '');
  const isChosen = (read('join_mode') || 'open') !== 'open';
  const zone = form?.elements.namedItem('time_zone');
  // The browser's own is proposed.
  return (
    isNamed ||
    isFilled ||
    isChosen ||
    rowsIn(read('sessions')).length > 0 ||
    (zone instanceof HTMLSelectElement && isChanged(zone))
  );
}
