'use client';

import { useState } from 'react';
import { ActionButton } from '#client/action-button.tsx';
import { useAnswers } from '#features/cohorts/cohort-button.tsx';
import { type Numbered, withNumber } from '#lib/numbered-texts.ts';
import { attendancePaths } from './attendance-paths.ts';

type CompleteFormProps = {
  cohortId: string;
  /** Of those who have not completed: how many have attended as many sessions. */
  counts: { attended: number; people: number }[];
  sessions: number;
  isOver: boolean;
  locale: string;
  texts: {
    atLeast: string;
    of: string;
    early: string;
    complete: Numbered;
    completing: string;
    done: string;
  };
};

/** Completes everyone who has attended enough: before the end, only if that is wanted. */
export function CompleteForm(props: CompleteFormProps) {
  const { cohortId, counts, sessions, isOver, locale, texts } = props;
  const [atLeast, setAtLeast] = useState(Math.ceil(sessions * 0.8));
  const [isEarly, setIsEarly] = useState(false);
  const answers = useAnswers(texts.done);
  const people = counts.reduce((sum, one) => (one.attended >= atLeast ? sum + one.people : sum), 0);
  const label = withNumber(texts.complete, people, locale);
  return (
    <div className="flex max-w-[26rem] flex-wrap items-center gap-x-4 gap-y-3">
      <label className="flex items-center gap-3">
        {texts.atLeast}
        <select
          className="input w-auto"
          value={atLeast}
          onChange={({ target }) => setAtLeast(Number(target.value))}
        >
          {[...Array(sessions + 1).keys()].map((count) => (
            <option key={count} value={count}>
              {count.toLocaleString(locale)}
            </option>
          ))}
        </select>
        {texts.of}
      </label>
      {people > 0 && (isOver || isEarly) ? (
        <ActionButton
          path={attendancePaths.complete(cohortId)}
          call={{ input: { at_least: atLeast, before_end: isEarly } }}
          pendingLabel={texts.completing}
          className="button button-primary"
          {...answers}
        >
          {label}
        </ActionButton>
      ) : (
        <button type="button" className="button" disabled>
          {label}
        </button>
      )}
      {!isOver && (
        <label className="flex basis-full items-center gap-3">
          <input
            type="checkbox"
            checked={isEarly}
            onChange={({ target }) => setIsEarly(target.checked)}
          />
          {texts.early}
        </label>
      )}
    </div>
  );
}
