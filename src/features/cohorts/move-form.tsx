'use client';

import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ActionButton } from '#client/action-button.tsx';
import { ApiForm } from '#client/api-form.tsx';
import type { ApiFailure } from '#client/call-api.ts';
import { loadOrLeave } from '#client/check-by-schema.ts';
import { guardChanges, guardUnload } from '#client/may-lose-changes.ts';
import { tellTabs } from '#client/tabs.ts';
import { giveUpChanges, markChanges } from '#client/unsaved.ts';
import type { FormMessages } from '#i18n/validation.ts';
import { apiPaths, paths } from '#paths.ts';
import { useRefresh } from '#router/use-load-page.ts';
import { SubmitButton } from '#ui/form.tsx';
import { keepToast } from '#ui/kept-toast.tsx';
import { showToast } from '#ui/toast.tsx';
import { useTyped } from '#ui/use-typed.ts';
import type { DatesPreview, PreviewTexts } from './dates-preview.tsx';
import { refusals } from './form-values.ts';
import type { Cohort, DatesPreview as Preview } from './schema.ts';

type Values = Record<string, string>;

/** What was asked for, and what it would do. */
type Shown = {
  values: Values;
  city: string;
  preview: Preview;
  key: string;
  Dates: typeof DatesPreview;
};

type PlanTexts = PreviewTexts & {
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
  expected: Preview['before'];
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
  const refresh = useRefresh();
  const path = apiPaths.moveCohort(cohort.id);
  const inputOf = ({ starts_on = '', ends_on = '', time_zone = '' }: Values, dry_run: boolean) => ({
    starts_on,
    ends_on,
    time_zone,
    expected,
    dry_run,
  });
  return (
    <PlanForm
      {...props}
      path={path}
      toInput={(values) => inputOf(values, true)}
      confirm={({ values, preview }, forget) =>
        movesAnything(preview) && (
          <ActionButton
            path={path}
            call={{ input: inputOf(values, false) }}
            pendingLabel={texts.confirming}
            className="button button-primary"
            onFailure={(failure) => isOutdated(failure) && showAgain(failure, refresh, forget)}
            onDone={() => leaveFor(cohort.id, texts.done)}
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
  const path = apiPaths.copyCohort(cohort.id);
  const inputOf = (values: Values, dry_run: boolean) => ({
    name: values['name'] ?? '',
    starts_on: values['starts_on'] ?? '',
    with_join_url: values['with_join_url'] === 'on',
    dry_run,
  });
  return (
    <PlanForm
      {...props}
      path={path}
      toInput={(values) => inputOf(values, true)}
      confirm={({ values, key }) => (
        <ActionButton
          path={path}
          call={{ input: inputOf(values, false), idempotencyKey: key }}
          pendingLabel={texts.confirming}
          className="button button-primary"
          onDone={(made) => ('id' in made ? leaveFor(made.id, texts.done) : undefined)}
        >
          {texts.confirm}
        </ActionButton>
      )}
    />
  );
}

type InnerProps = PlanFormProps & {
  path: ReturnType<typeof apiPaths.moveCohort | typeof apiPaths.copyCohort>;
  toInput: (values: Values) => object;
  /** The button that does what is shown. */
  confirm: (shown: Shown, forget: () => void) => ReactNode;
};

function PlanForm({ cohort, proposed, messages, locale, texts, children, ...props }: InnerProps) {
  const [shown, setShown] = useState<Shown | null>(null);
  const [typed, setTyped] = useState<Values | null>(null);
  // A new form after each preview.
  const [round, setRound] = useState(0);
  const ref = useRef<HTMLDivElement>(null);
  const followed = useRef(cohort);
  const plannedRef = useRef<HTMLDivElement>(null);
  // From there, the next Tab leads to the button that does it.
  useEffect(() => {
    if (shown !== null) {
      plannedRef.current?.focus();
    }
  }, [shown]);

  /** The last day follows the first one, until it is chosen itself. What was shown is outdated. */
  function onInput(): void {
    setShown(null);
    const { starts_on, ends_on } = followed.current;
    const [first, last] = ['starts_on', 'ends_on'].map((name) =>
      ref.current?.querySelector<HTMLInputElement>(`input[name="${name}"]`),
    );
    // Days begin at midnight in UTC, where each has 24 hours.
    const shift = Date.parse(first?.value ?? '') - Date.parse(starts_on);
    if (first && last && last.value === ends_on && !Number.isNaN(shift)) {
      last.value = new Date(Date.parse(ends_on) + shift).toISOString().slice(0, 10);
      followed.current = { ...cohort, starts_on: first.value, ends_on: last.value };
    }
  }

  return (
    <div ref={ref} className="cohort-form max-w-[36rem]" id="dates" onInput={onInput}>
      <ApiForm
        key={round}
        path={props.path}
        messages={messages}
        toInput={props.toInput as never}
        failuresIn="dialog"
        refusals={refusals}
        {...(typed && { initialValues: typed, isTyped: true })}
        onDone={async (data, values) => {
          const script = await loadOrLeave(() => import('./dates-preview.tsx'));
          setTyped(values);
          setRound(round + 1);
          if (script === null) {
            showToast(messages.connectionLost, 'failed');
            return;
          }
          const select = ref.current?.querySelector('select');
          const city = select?.selectedOptions[0]?.text ?? cohort.city;
          setShown({
            values,
            city,
            preview: data as Preview,
            key: crypto.randomUUID(),
            Dates: script.DatesPreview,
          });
        }}
      >
        {children}
        <PlanFoot proposed={proposed}>
          {shown === null && (
            <div className="actions">
              <SubmitButton label={texts.show} pendingLabel={texts.showing} />
            </div>
          )}
        </PlanFoot>
      </ApiForm>
      <div role="status">
        {shown !== null && (
          <div ref={plannedRef} className="planned" tabIndex={-1}>
            <shown.Dates
              preview={shown.preview}
              cities={{ before: cohort.city, after: shown.city }}
              locale={locale}
              texts={texts}
            />
            <div className="actions">{props.confirm(shown, () => setShown(null))}</div>
          </div>
        )}
      </div>
    </div>
  );
}

/** Knows whether something would be lost, also after what it does was shown. */
function PlanFoot({ proposed, children }: { proposed: Values; children: ReactNode }) {
  const ref = useTyped((read) => {
    const differs = Object.entries(proposed).some(([name, value]) => read(name) !== value);
    markChanges(ref.current, differs ? 'cohort' : null);
    if (differs) {
      guardUnload();
    }
  });
  // Before the first change, which someone may leave with at once.
  useEffect(() => void guardChanges(), []);
  return <div ref={ref}>{children}</div>;
}

function movesAnything({ before, after }: Preview): boolean {
  return Object.entries(after).some(
    ([name, value]) => before[name as keyof typeof before] !== value,
  );
}

/** Whether the dates are others by now than those that were shown. */
function isOutdated({ body }: ApiFailure): boolean {
  return body?.code === 'dates_changed';
}

function showAgain({ body }: ApiFailure, refresh: () => Promise<void>, forget: () => void): true {
  forget();
  void refresh().then(() => showToast(body?.message ?? '', 'failed'));
  return true;
}

function leaveFor(id: string, done: string): 'leaving' {
  giveUpChanges();
  tellTabs({ kind: 'changed' });
  keepToast(done);
  window.location.assign(paths.cohort(id));
  return 'leaving';
}
