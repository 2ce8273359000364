'use client';

import { type ReactNode, useRef } from 'react';
import { ApiForm } from '#client/api-form.tsx';
import { checkBySchema } from '#client/check-by-schema.ts';
import { leaveFor } from '#client/leave.ts';
import { giveUpChanges, markChanges } from '#client/unsaved.ts';
import { cohortPaths } from '#features/cohorts/cohort-paths.ts';
import { cohortConflicts, toCohortInput } from '#features/cohorts/form-values.ts';
import type { CohortInput } from '#features/cohorts/schema.ts';
import type { FormMessages } from '#i18n/validation.ts';
import { paths } from '#paths.ts';
import { isChanged } from '#ui/typed-fields.ts';
import { type ReadField, useTyped } from '#ui/use-typed.ts';

const check = checkBySchema(() =>
  import('#features/cohorts/schema.ts').then(({ CohortInput }) => CohortInput),
);

type NewCohortFormProps = {
  courseId: string;
  messages: FormMessages;
  created: string;
  children: ReactNode;
};

/** Creates a cohort, and goes on to its page. */
export function NewCohortForm({ courseId, messages, created, children }: NewCohortFormProps) {
  return (
    <ApiForm
      path={cohortPaths.ofCourse(courseId)}
      messages={messages}
      check={(values) => check(toCohortInput(values))}
      toInput={(values) => toCohortInput(values) as CohortInput}
      refusals={cohortConflicts}
      onDone={({ id }) => {
        giveUpChanges();
        return leaveFor(paths.cohort(id), created);
      }}
    >
      {/* First, so that the preview shows the name that it proposes. */}
      <Watch />
      {children}
    </ApiForm>
  );
}

/** Proposes a name, and knows whether something would be lost. */
function Watch() {
  const proposed = useRef('');
  const ref = useTyped((read) => {
    const form = ref.current?.closest('form') ?? null;
    const name = proposedName(read('starts_on'), document.documentElement.lang);
    // Only what no one has typed is changed.
    if (name !== proposed.current && (read('name') === '' || read('name') === proposed.current)) {
      const field = form?.elements.namedItem('name');
      if (field instanceof HTMLInputElement) {
        field.value = name;
      }
      proposed.current = name;
    }
    const differs = isTyped(form, read, name);
    markChanges(ref.current, differs ? 'course' : null);
  });
  return <div ref={ref} hidden />;
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

function isTyped(form: HTMLFormElement | null, read: ReadField, proposed: string): boolean {
  const name = read('name');
  const isNamed = name !== '' && name !== proposed;
  const isFilled = ['starts_on', 'ends_on', 'capacity'].some((field) => read(field) !== '');
  const isChosen = (read('join_mode') || 'open') !== 'open' || read('waitlist') === 'off';
  const zone = form?.elements.namedItem('time_zone');
  // The browser's own is proposed.
  return isNamed || isFilled || isChosen || (zone instanceof HTMLSelectElement && isChanged(zone));
}
