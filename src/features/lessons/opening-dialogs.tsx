'use client';

import { type ChangeEvent, useState } from 'react';
import type { Values } from '#client/api-form.tsx';
import { checkBySchema } from '#client/check-by-schema.ts';
import { DialogForm } from '#client/dialog-form.tsx';
import { Select } from '#features/cohorts/fields.tsx';
import type { FormMessages } from '#i18n/validation.ts';
import { dayOfWallTime } from '#lib/time/calendar.ts';
import { Dialog } from '#ui/dialog.tsx';
import { Choice, Field } from '#ui/form.tsx';
import { lessonApi } from './lesson-paths.ts';
import type { OpeningCohort, ShownOpening, ShownSection } from './outline.tsx';
import { openingId, ruleId } from './outline-ids.ts';
import type { outlineTexts } from './outline-texts.ts';
import type { OpeningInput } from './schema.ts';

type Texts = ReturnType<typeof outlineTexts>;

const checkRule = checkBySchema(() =>
  import('./schema.ts').then(({ SectionPatch }) => SectionPatch),
);

const checkOpening = checkBySchema(() =>
  import('./schema.ts').then(({ OpeningInput: Input }) => Input),
);

/** What the choice of a form is at the moment, and what notices another one. */
function useChoice(name: string, first: string) {
  const [choice, setChoice] = useState(first);
  const onChange = ({ target }: ChangeEvent<HTMLElement>) => {
    if (target instanceof HTMLInputElement && target.name === name) {
      setChoice(target.value);
    }
  };
  return [choice, onChange] as const;
}

type RuleDialogProps = { section: ShownSection; messages: FormMessages; texts: Texts['rule'] };

/** Says after how many days a section opens. */
export function RuleDialog({ section, messages, texts }: RuleDialogProps) {
  const { id, releaseDays } = section;
  const stored = releaseDays === null ? 'once' : 'days';
  const [when, onChange] = useChoice('when', stored);
  return (
    <Dialog id={ruleId} title={texts.title}>
      <DialogForm
        path={lessonApi.section(id)}
        method="PATCH"
        dialogId={ruleId}
        messages={messages}
        check={(values) => checkRule(toRule(values))}
        toInput={toRule}
        texts={texts}
        done={texts.done}
      >
        <div className="grid gap-6" onChange={onChange}>
          <Choice
            id="section-when"
            name="when"
            legend={texts.legend}
            options={[
              { value: 'once', label: texts.once, description: texts.onceHint },
              { value: 'days', label: texts.days, description: texts.daysHint },
            ]}
            defaultValue={stored}
          />
          {when === 'days' && (
            <Field
              label={texts.field}
              hint={texts.fieldHint}
              name="release_days"
              defaultValue={releaseDays?.toString() ?? ''}
              inputMode="numeric"
              autoComplete="off"
            />
          )}
          <p className="hint">{texts.follows}</p>
        </div>
      </DialogForm>
    </Dialog>
  );
}

function toRule({ when, release_days: typed = '' }: Values): { release_days: number | null } {
  // JSON would make null, which is a rule too, of what is no number.
  const days = /^\s*\d+\s*$/.test(typed) ? Number(typed) : -1;
  return { release_days: when === 'days' ? days : null };
}

type OpeningDialogProps = {
  sectionId: string;
  opening: ShownOpening;
  cohort: OpeningCohort;
  messages: FormMessages;
};

/** Says when a section opens in one cohort, if not as in the course. */
export function OpeningDialog(props: OpeningDialogProps) {
  const { sectionId, opening, cohort, messages } = props;
  const { texts } = cohort;
  const stored = opening.mode ?? 'rule';
  const [mode, onChange] = useChoice('mode', stored);
  const local = opening.opensLocal ?? '';
  const options = [
    { value: 'rule', label: texts.rule, description: opening.rule },
    { value: 'date', label: texts.date, description: texts.dateHint },
    { value: 'meeting', label: texts.meeting, description: texts.meetingHint },
    { value: 'hidden', label: texts.hidden, description: texts.hiddenHint },
  ];
  return (
    <Dialog id={openingId} title={texts.title.replace('{cohort}', () => cohort.name)}>
      <DialogForm
        path={lessonApi.opening(cohort.id, sectionId)}
        // What is taken back needs no body; one is typed for the other.
        method={(mode === 'rule' ? 'DELETE' : 'PUT') as 'PUT'}
        dialogId={openingId}
        messages={messages}
        check={async (values) => (mode === 'rule' ? {} : checkOpening(toOpening(values)))}
        toInput={toOpening}
        refusals={['cohort_in_trash', 'dates_changed']}
        texts={texts}
        done={texts.done}
      >
        <div className="grid gap-6" onChange={onChange}>
          <Choice
            id="section-mode"
            name="mode"
            legend={texts.legend}
            options={options.filter(
              ({ value }) => value !== 'meeting' || mode === value || cohort.meetings.length > 0,
            )}
            defaultValue={stored}
          />
          {mode === 'date' && (
            <div className="field-pair">
              <Field
                id="opens-day"
                label={texts.day}
                name="opens_local"
                type="date"
                {...cohort.days}
                required
                defaultValue={local.slice(0, 10)}
              />
              <Field
                id="opens-time"
                label={texts.time}
                hint={texts.timeHint}
                name="time"
                type="time"
                defaultValue={local === dayOfWallTime(local) ? '' : local.slice(11)}
              />
            </div>
          )}
          {mode === 'meeting' && (
            <>
              <Select
                label={texts.session}
                name="meeting_id"
                defaultValue={opening.meetingId ?? ''}
              >
                {opening.meetingId === null && <option value="" />}
                {cohort.meetings.map(({ id, words }) => (
                  <option key={id} value={id}>
                    {words}
                  </option>
                ))}
              </Select>
              <Select label={texts.edge} name="edge" defaultValue={opening.edge ?? 'start'}>
                <option value="start">{texts.start}</option>
                <option value="end">{texts.end}</option>
              </Select>
            </>
          )}
          <p className="hint">{texts.follows}</p>
        </div>
      </DialogForm>
    </Dialog>
  );
}

/** With the rule of the course, what is chosen is taken back, and nothing is sent. */
function toOpening(values: Values): OpeningInput {
  const { mode, opens_local: day = '', time, meeting_id, edge } = values;
  // The schema looks at each.
  return {
    mode,
    ...(mode === 'date' && { opens_local: time ? `${day}T${time}` : day }),
    ...(mode === 'meeting' && { meeting_id: meeting_id || undefined, edge }),
  } as OpeningInput;
}
