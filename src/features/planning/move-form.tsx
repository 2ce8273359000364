'use client';

import { type ReactNode, useRef } from 'react';
import { ActionButton } from '#client/action-button.tsx';
import type { Values } from '#client/api-form.tsx';
import type { ApiFailure } from '#client/call-api.ts';
import { leaveFor } from '#client/leave.ts';
import { giveUpChanges } from '#client/unsaved.ts';
import { cohortPaths } from '#features/cohorts/cohort-paths.ts';
import { toNotifyInput } from '#features/cohorts/form-values.ts';
import { PlanForm } from '#features/cohorts/plan-form.tsx';
import type { Cohort, DatesPreview } from '#features/cohorts/schema.ts';
import type { FormMessages } from '#i18n/validation.ts';
import { paths } from '#paths.ts';
import { useRefresh } from '#router/use-load-page.ts';
import { DatesTable, type DatesTexts } from './dates-table.tsx';

/** What was asked for, and what it would do. */
type Shown = {
  values: Values;
  city: string;
  preview: DatesPreview;
  key: string;
};

type PlanTexts = DatesTexts & {
  show: string;
  showing: string;
  confirm: string;
  confirming: string;
  done: string;
};

type PlanFormProps = {
  /** The cohort that is moved or copied. */
  cohort: Pick<Cohort, 'id' | 'starts_on' | 'ends_on' | 'time_zone'> & { city: string };
  /** All its dates, as they are shown now. */
  expected: DatesPreview['before'];
  /** What the fields contain before anyone types, by their names. */
  proposed: Values;
  messages: FormMessages;
  locale: string;
  texts: PlanTexts;
  children: ReactNode;
};

/** Moves a cohort, after showing every date before and after. */
export function MoveForm(props: PlanFormProps) {
  const { cohort, expected, texts } = props;
  const path = cohortPaths.move(cohort.id);
  const inputOf = (values: Values, dry_run: boolean) => ({
    starts_on: values['starts_on'] ?? '',
    ends_on: values['ends_on'] ?? '',
    time_zone: values['time_zone'] ?? '',
    expected,
    dry_run,
    ...toNotifyInput(values),
  });
  return (
    <DatesForm
      {...props}
      path={path}
      toInput={(values) => inputOf(values, true)}
      confirm={({ values, preview }, isRefused) =>
        movesAnything(preview) && (
          <ActionButton
            path={path}
            call={{
              input: { ...inputOf(values, false), expected_meetings: preview.meetings_mark },
            }}
            pendingLabel={texts.confirming}
            className="button button-primary"
            onFailure={isRefused}
            onDone={() => showCohort(cohort.id, texts.done)}
          >
            {texts.confirm}
          </ActionButton>
        )
      }
    />
  );
}

/** Copies a cohort, after showing the dates of the copy. */
export function CopyForm(props: PlanFormProps) {
  const { cohort, texts } = props;
  const path = cohortPaths.copy(cohort.id);
  const inputOf = (values: Values, dry_run: boolean) => ({
    name: values['name'] ?? '',
    starts_on: values['starts_on'] ?? '',
    with_join_url: values['with_join_url'] === 'on',
    dry_run,
  });
  return (
    <DatesForm
      {...props}
      path={path}
      toInput={(values) => inputOf(values, true)}
      confirm={({ values, key }, isRefused) => (
        <ActionButton
          path={path}
          call={{ input: inputOf(values, false), idempotencyKey: key }}
          pendingLabel={texts.confirming}
          className="button button-primary"
          onFailure={isRefused}
          onDone={(made) => ('id' in made ? showCohort(made.id, texts.done) : undefined)}
        >
          {texts.confirm}
        </ActionButton>
      )}
    />
  );
}

type DatesFormProps = PlanFormProps & {
  path: ReturnType<typeof cohortPaths.move | typeof cohortPaths.copy>;
  toInput: (values: Values) => object;
  /** The button that does what is shown. */
  confirm: (shown: Shown, isRefused: (failure: ApiFailure) => boolean) => ReactNode;
};

function DatesForm({ cohort, proposed, messages, locale, texts, ...props }: DatesFormProps) {
  const refresh = useRefresh();
  const followed = useRef(cohort);

  /** The last day follows the first one until someone chooses it. */
  function followFirstDay(form: HTMLElement): void {
    const { starts_on, ends_on } = followed.current;
    const [first, last] = ['starts_on', 'ends_on'].map((name) =>
      form.querySelector<HTMLInputElement>(`input[name="${name}"]`),
    );
    // Days begin at midnight in UTC, where each has 24 hours.
    const shift = Date.parse(first?.value ?? '') - Date.parse(starts_on);
    if (first && last && last.value === ends_on && !Number.isNaN(shift)) {
      last.value = new Date(Date.parse(ends_on) + shift).toISOString().slice(0, 10);
      followed.current = { ...cohort, starts_on: first.value, ends_on: last.value };
    }
  }

  return (
    <PlanForm
      id="dates"
      path={props.path}
      proposed={proposed}
      messages={messages}
      texts={texts}
      toPreview={props.toInput}
      toShown={(data, values, form) => ({
        values,
        city: form.querySelector('select')?.selectedOptions[0]?.text ?? cohort.city,
        preview: data as DatesPreview,
        key: crypto.randomUUID(),
      })}
      planned={(shown, isRefused) => (
        <>
          <DatesTable
            preview={shown.preview}
            cities={{ before: cohort.city, after: shown.city }}
            locale={locale}
            texts={texts}
          />
          <div className="actions">{props.confirm(shown, isRefused)}</div>
        </>
      )}
      onInput={followFirstDay}
      onRefused={(code) => {
        if (code === 'dates_changed') {
          // The next preview starts from the dates as they are now.
          void refresh();
        }
      }}
    >
      {props.children}
    </PlanForm>
  );
}

function movesAnything({ before, after }: DatesPreview): boolean {
  return Object.entries(after).some(
    ([name, value]) => before[name as keyof typeof before] !== value,
  );
}

function showCohort(id: string, done: string): 'leaving' {
  giveUpChanges();
  return leaveFor(paths.cohort(id), done);
}
