'use client';

import type { ReactNode } from 'react';
import { DialogForm } from '#client/dialog-form.tsx';
import { Check } from '#features/cohorts/fields.tsx';
import type { Enrollment } from '#features/places/schema.ts';
import type { FormMessages } from '#i18n/validation.ts';
import type { Numbered } from '#lib/numbered-texts.ts';
import { Dialog, OpenButton } from '#ui/dialog.tsx';
import { EmailAddress } from '#ui/email-address.tsx';
import { useTicked } from '#ui/ticked-rows.ts';
import type { ApplicationTexts } from './applications.tsx';

const [approveAllDialogId, refuseAllDialogId] = ['approve-all', 'refuse-all'];

type ApplicationListProps = {
  cohortId: string;
  /** Who asks for a place, on this page of the list. */
  people: Pick<Enrollment, 'id' | 'name' | 'email'>[];
  /** How many places are free; null without a limit. */
  free: number | null;
  canWait: boolean;
  canApprove: boolean;
  canTell: boolean;
  messages: FormMessages;
  texts: ApplicationTexts;
  /** How many ask, in words. */
  notice: ReactNode;
  children: ReactNode;
};

/** People who ask for a place, of whom those that are ticked are decided about, or all. */
export function ApplicationList(props: ApplicationListProps) {
  const { cohortId, people, messages, texts, notice, children } = props;
  const { ref, ticked, look } = useTicked();
  const chosen = ticked.length > 0 ? people.filter(({ id }) => ticked.includes(id)) : people;
  const enrollmentIds = chosen.map(({ id }) => id);
  // The rows and their buttons may be gone.
  const form = { messages, onDone: () => ref.current?.focus() };
  const count = chosen.length;
  const approve = ticked.length > 0 ? textFor(texts.approve, count) : texts.approveAll;
  const refuse = ticked.length > 0 ? textFor(texts.refuse, count) : texts.refuseAll;
  const names = (
    <ul className="grid gap-2" data-sentry-mask>
      {chosen.map(({ id, name, email }) => (
        <li key={id} className="person-name">
          <span dir="auto">{name}</span>
          <span className="text-muted">
            <EmailAddress>{email}</EmailAddress>
          </span>
        </li>
      ))}
    </ul>
  );
  return (
    <div ref={ref} tabIndex={-1} className="grid grid-cols-1 gap-6 outline-none" onChange={look}>
      <p role="status" className="sr-only">
        {ticked.length > 0 && textFor(texts.selected, count)}
      </p>
      {notice !== null && (
        <div className="notice notice-with-action">
          {notice}
          {people.length > 1 && (
            <div className="actions noscript:hidden">
              {props.canApprove && (
                <OpenButton dialogId={approveAllDialogId} className="button button-small">
                  {approve}
                </OpenButton>
              )}
              <OpenButton
                dialogId={refuseAllDialogId}
                className="button button-small button-danger"
              >
                {refuse}
              </OpenButton>
            </div>
          )}
        </div>
      )}
      {people.length > 1 && (
        <>
          <Dialog id={approveAllDialogId} title={textFor(texts.approveTitle, count)}>
            <DialogForm
              {...form}
              path={`/api/cohorts/${cohortId}/enrollments/approve/` as const}
              dialogId={approveAllDialogId}
              toInput={() => ({ enrollments: enrollmentIds })}
              refusals={['cohort_in_trash', 'cohort_over']}
              texts={{ submit: approve, submitting: texts.approving, cancel: texts.cancel }}
              done={({ offered }) =>
                offered > 0 ? textFor(texts.offered, offered) : texts.approved
              }
              page={({ offered }) => (offered > 0 ? texts.offeredPage : undefined)}
            >
              {names}
              <p>
                {texts.payFirst} {outcomeFor(props, count)}
              </p>
            </DialogForm>
          </Dialog>
          <Dialog id={refuseAllDialogId} title={textFor(texts.refuseTitle, count)}>
            <DialogForm
              {...form}
              path={`/api/cohorts/${cohortId}/enrollments/refuse/` as const}
              dialogId={refuseAllDialogId}
              toInput={({ notify }) => ({ enrollments: enrollmentIds, notify: notify === 'on' })}
              refusals={['cohort_in_trash']}
              isDangerous
              texts={{ submit: refuse, submitting: texts.refusing, cancel: texts.cancel }}
              done={texts.refused}
            >
              {names}
              <p>{texts.refusedNote}</p>
              {props.canTell && (
                <Check
                  id={`${refuseAllDialogId}-notify`}
                  name="notify"
                  label={texts.tell}
                  defaultChecked
                />
              )}
            </DialogForm>
          </Dialog>
        </>
      )}
      {children}
    </div>
  );
}

function outcomeFor(props: ApplicationListProps, count: number): string {
  const { free, canWait, texts } = props;
  if (free === null || free >= count) {
    return textFor(texts.allIn, count);
  }
  return canWait ? textFor(texts.othersWait, count) : texts.othersStay;
}

/** Of one or more, who are at most as many as a page of the list shows. */
function textFor({ one, other }: Numbered, count: number): string {
  return (count === 1 ? one : other).replace('#', String(count));
}
