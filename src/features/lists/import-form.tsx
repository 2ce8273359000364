'use client';

import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ApiForm } from '#client/api-form.tsx';
import { giveUpChanges, markChanges } from '#client/unsaved.ts';
import type { FormMessages } from '#i18n/validation.ts';
import { useRefresh } from '#router/use-load-page.ts';
import { AgreeBox } from '#ui/agree-box.tsx';
import { Choice, SubmitButton } from '#ui/form.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { showToast } from '#ui/toast.tsx';
import { useTyped } from '#ui/use-typed.ts';
import { ImportLines } from './import-lines.tsx';
import type { ImportTexts } from './import-page.tsx';
import { ColumnFields, columnField, ListFile } from './list-fields.tsx';
import type { ImportInput, ImportResult } from './schema.ts';

type Values = Record<string, string>;

type ImportFormProps = {
  cohortId: string;
  messages: FormMessages;
  texts: ImportTexts;
  /** Where to go when it is done. */
  children: ReactNode;
};

/** Codes that say what is wrong with the list itself. */
const ofText = {
  import_empty: 'text',
  import_not_text: 'text',
  import_too_large: 'text',
  import_too_many_rows: 'text',
  body_too_large: 'text',
};
const refusals = [
  'cohort_in_trash',
  'cohort_over',
  'invitations_paused',
  'too_many_people',
  'too_many_for_places',
];

/** Brings people in from a list, after saying for each line what that does. */
export function ImportForm(props: ImportFormProps) {
  const { cohortId, messages, texts } = props;
  const path = `/api/cohorts/${cohortId}/imports/` as const;
  /** What was checked, as long as nothing has changed since. */
  const [shown, setShown] = useState<{ values: Values; result: ImportResult } | null>(null);
  /** What the list leaves open: its questions stay until there is another list. */
  const [questions, setQuestions] = useState<Pick<ImportResult, 'columns' | 'too_many'> | null>(
    null,
  );
  const [typed, setTyped] = useState<Values | null>(null);
  // A new form after each answer.
  const [round, setRound] = useState(0);
  const refresh = useRefresh();
  const resultRef = useRef<HTMLElement>(null);
  useEffect(() => {
    // From there, the next Tab leads to what it takes to do it.
    if (shown !== null) {
      resultRef.current?.focus();
    }
  }, [shown]);

  const kinds = questions?.columns?.kinds;
  const inputOf = (values: Values, dryRun: boolean) =>
    ({
      text: values['text'] ?? '',
      as: values['as'] ?? '',
      dry_run: dryRun,
      informed: values['informed'] === 'on',
      ...(values['rest'] !== undefined && { rest: values['rest'] }),
      ...(kinds !== undefined &&
        values[columnField(0)] !== undefined && {
          columns: kinds.map((_, index) => values[columnField(index)] ?? 'ignored'),
        }),
    }) as ImportInput;

  const isDone = shown?.result.is_done === true;
  return (
    <div className="import max-w-184" data-unsaved={typed !== null || undefined} data-sentry-mask>
      {!isDone && <ListFile texts={texts} />}
      {!isDone && (
        <ApiForm
          key={round}
          path={path}
          messages={messages}
          toInput={(values) => inputOf(values, true)}
          errors={{ fields: ofText }}
          refusals={refusals}
          {...(typed && { initialValues: typed })}
          onDone={(result, values) => {
            setTyped(values);
            setRound(round + 1);
            setQuestions({
              columns: result.columns ?? questions?.columns ?? null,
              too_many: result.too_many ?? questions?.too_many ?? null,
            });
            setShown(result.columns?.is_clear === false ? null : { values, result });
          }}
        >
          <Watch
            onInput={(name) => {
              setShown(null);
              if (name === 'text' || name === 'as') {
                setQuestions(null);
              }
            }}
          >
            <TextArea
              name="text"
              label={texts.text}
              hint={texts.textHint}
              rows={8}
              dir="auto"
              autoComplete="off"
              spellCheck={false}
              required
              data-sentry-mask
            />
            <Choice
              id="import-as"
              legend={texts.ways}
              name="as"
              defaultValue="invited"
              options={texts.wayOptions}
            />
            {questions?.columns && <ColumnFields columns={questions.columns} texts={texts} />}
            {questions?.too_many && (
              <>
                <p className="notice">{questions.too_many.message}</p>
                <Choice
                  id="import-rest"
                  legend={texts.rests}
                  name="rest"
                  options={questions.too_many.choices.map((value) => ({
                    value,
                    ...texts.restOptions[value],
                  }))}
                />
              </>
            )}
            <div className="actions">
              <SubmitButton
                label={texts.check}
                pendingLabel={texts.checking}
                className={shown?.result.action == null ? 'button button-primary' : 'button'}
              />
            </div>
          </Watch>
        </ApiForm>
      )}
      {shown !== null && (
        // Screen readers say the sentences, and not all lines of a list.
        <section
          ref={resultRef}
          className="planned mt-8 grid gap-6"
          tabIndex={-1}
          aria-labelledby="import-summary"
        >
          <ImportLines key={round} result={shown.result} texts={texts}>
            {shown.result.action !== null && (
              <ApiForm
                path={path}
                messages={messages}
                check={async ({ informed }) =>
                  informed === 'on' ? {} : { informed: 'import_informed' }
                }
                toInput={(values) => inputOf({ ...shown.values, ...values }, false)}
                refusals={[...refusals, ...Object.keys(ofText)]}
                onDone={async (result) => {
                  setTyped(null);
                  setQuestions(null);
                  setRound(round + 1);
                  giveUpChanges();
                  await refresh();
                  setShown({ values: {}, result });
                  showToast(result.summary[0] ?? '');
                }}
              >
                <AgreeBox name="informed" label={texts.informed} />
                <div className="actions">
                  <SubmitButton label={shown.result.action} pendingLabel={texts.importing} />
                </div>
              </ApiForm>
            )}
            {isDone && (
              <div className="actions">
                {props.children}
                <button type="button" className="button" onClick={() => setShown(null)}>
                  {texts.another}
                </button>
              </div>
            )}
          </ImportLines>
        </section>
      )}
    </div>
  );
}

/** Knows what changes in the form around it, and whether a list would be lost. */
function Watch(props: { onInput: (name: string) => void; children: ReactNode }) {
  const ref = useTyped((read) => {
    markChanges(ref.current, read('text') === '' ? null : 'cohort');
  });
  return (
    <div
      ref={ref}
      className="fields"
      onInput={({ target }) => props.onInput((target as HTMLInputElement).name)}
    >
      {props.children}
    </div>
  );
}
