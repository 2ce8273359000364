'use client';

import { type ComponentProps, type MouseEvent, type ReactNode, useEffect, useState } from 'react';
import type { EnrollmentStatus } from '#db/values.ts';
import type { FormMessages } from '#i18n/validation.ts';
import { paths } from '#paths.ts';
import { OpenButton } from '#ui/dialog.tsx';
import { CompleteDialog, type EarlyCompletion } from './complete-dialog.tsx';
import { CompleteButton, MarkButton, MoveButton } from './enrollment-button.tsx';
import { LeftDialog, type SeenAccount } from './left-dialog.tsx';
import type { actionWords } from './people-lists.tsx';
import { type End, RemoveDialog } from './remove-dialog.tsx';
import { completeDialogId, leftDialogId, removeDialogId } from './roster-paths.ts';

/** Someone whose menu is open. */
type Chosen = {
  id: string;
  personId: string;
  name: string;
  since: string;
  status: EnrollmentStatus;
  isCompleted: boolean;
  account: SeenAccount;
};

/** What takes people off the lists, by where they stand; none for those who are on none. */
export type Ends = Partial<Record<EnrollmentStatus, End>>;

type MenuTexts = ReturnType<typeof actionWords> & {
  /** In a menu that was opened before it knows of whom. */
  waiting: string;
  details: string;
  ends: Ends;
  /** Null once the cohort is over. */
  early: EarlyCompletion | null;
  markLeft: string;
  left: ComponentProps<typeof LeftDialog>['texts'];
};

type PeopleMenuProps = {
  cohortId: string;
  isFull: boolean;
  /** Whether people can come onto the waitlist. */
  canWait: boolean;
  /** Whether someone can have completed it. */
  hasBegun: boolean;
  isPast: boolean;
  /** Whether emails go out. */
  canTell: boolean;
  messages: FormMessages;
  leftMessages: FormMessages;
  /** Of the accounts of people in the cohort; null without any. */
  currency: string | null;
  locale: string;
  texts: MenuTexts;
  /** The rows, whose buttons open the menu. */
  children: ReactNode;
};

export const peopleMenuId = 'person-menu';

/** One menu for all rows, because a list can have a hundred. */
export function PeopleMenu(props: PeopleMenuProps) {
  const { cohortId, isFull, canWait, hasBegun, isPast, messages, texts } = props;
  const [chosen, setChosen] = useState<Chosen | null>(null);

  useEffect(() => {
    const menu = document.getElementById(peopleMenuId);
    if (menu?.matches(':popover-open')) {
      // Opened before this script was there, by a button that not all browsers focus.
      const chosen = chosenBy(document.activeElement);
      setChosen(chosen);
      if (chosen === null) {
        menu.hidePopover();
      }
    }
  }, []);

  /** Before the browser opens the menu. */
  function choose({ target }: MouseEvent): void {
    const chosen = chosenBy(target as Element);
    if (chosen !== null) {
      setChosen(chosen);
    }
  }

  const item = { cohortId, enrollmentId: chosen?.id ?? '', className: 'menu-item' };
  const status = chosen?.status;
  const canComplete = status === 'enrolled' && hasBegun && !chosen?.isCompleted;
  const isAsking = status === 'applied';
  const end = status && texts.ends[status];
  // Who is offered a place has one already.
  const isOver = isFull && status !== 'offered';
  return (
    <div tabIndex={-1} className="people grid gap-8 outline-none" onClickCapture={choose}>
      {props.children}
      <div id={peopleMenuId} popover="auto" data-menu className="menu menu-of-row">
        {chosen === null ? (
          <p className="px-3 py-2 text-muted">{texts.waiting}</p>
        ) : (
          // New buttons for someone else, which wait for no answer.
          <div key={chosen.id}>
            <a className="menu-item" href={paths.participant(cohortId, chosen.id)}>
              {texts.details}
            </a>
            {status === 'waitlisted' && !isPast && (
              <MoveButton {...item} {...texts.offer} move="offer" isOver={isOver} />
            )}
            {isAsking && !isPast && (!isFull || canWait) && (
              <MoveButton {...item} {...texts.approve} move="approve" />
            )}
            {status !== 'enrolled' && !isPast && (!isAsking || isFull) && (
              <MoveButton
                {...item}
                {...(isOver ? texts.addOver : texts.add)}
                move="add"
                isOver={isOver}
              />
            )}
            {end && <MarkButton {...item} {...texts.resend} mark="resend" />}
            {canComplete &&
              (texts.early ? (
                <OpenButton dialogId={completeDialogId} className="menu-item">
                  {texts.complete.children}
                </OpenButton>
              ) : (
                <CompleteButton {...item} {...texts.complete} />
              ))}
            {status === 'enrolled' && chosen.isCompleted && (
              <MarkButton {...item} {...texts.uncomplete} mark="uncomplete" />
            )}
            {status === 'enrolled' && (
              <OpenButton dialogId={leftDialogId} className="menu-item">
                {texts.markLeft}
              </OpenButton>
            )}
            {end && (
              <OpenButton dialogId={removeDialogId} className="menu-item menu-last text-danger">
                {end.submit}
              </OpenButton>
            )}
          </div>
        )}
      </div>
      {chosen && end && (
        <RemoveDialog
          key={chosen.id}
          id={removeDialogId}
          cohortId={cohortId}
          enrollmentId={chosen.id}
          name={chosen.name}
          messages={messages}
          canTell={props.canTell}
          end={end}
        />
      )}
      {chosen && canComplete && texts.early && (
        <CompleteDialog
          key={`complete ${chosen.id}`}
          cohortId={cohortId}
          person={{ enrollmentId: chosen.id, name: chosen.name }}
          messages={messages}
          texts={texts.early}
        />
      )}
      {chosen && status === 'enrolled' && (
        <LeftDialog
          key={`left ${chosen.id}`}
          id={leftDialogId}
          cohortId={cohortId}
          enrollmentId={chosen.id}
          personId={chosen.personId}
          name={chosen.name}
          since={chosen.since}
          account={chosen.account}
          currency={props.currency}
          locale={props.locale}
          canTell={props.canTell}
          messages={props.leftMessages}
          texts={texts.left}
        />
      )}
    </div>
  );
}

/** Whom the button of a row is about; null for anything else. */
function chosenBy(element: Element | null): Chosen | null {
  const button = element?.closest<HTMLElement>('button[data-person]') ?? null;
  if (button === null) {
    return null;
  }
  const { person: id = '', personId = '', since = '' } = button.dataset;
  const { status, completed, due, paid, online } = button.dataset;
  const account = {
    due: Number(due ?? 0),
    paid: Number(paid ?? 0),
    online: Number(online ?? 0),
  };
  const name = button.closest('li')?.querySelector('[data-name]')?.textContent ?? '';
  return {
    id,
    personId,
    name,
    since,
    status: status as EnrollmentStatus,
    isCompleted: completed === 'true',
    account,
  };
}
