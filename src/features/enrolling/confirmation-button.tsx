'use client';

import { createContext, type ReactNode, useContext, useState } from 'react';
import { ActionButton } from '#client/action-button.tsx';
import type { ApiFailure } from '#client/call-api.ts';
import { leaveFor } from '#client/leave.ts';
import { PageOutcome } from '#ui/outcome.tsx';
import type { InterestConfirmed, RequestConfirmed } from './schema.ts';

/** The key of its texts, and what they are about. */
type Outcome = { key: string; href?: string | null; queuePosition?: number | null };

type ConfirmationButtonProps = {
  path: '/api/public/requests/confirm/' | '/api/public/interests/confirm/';
  token: string;
  /** What is known without a click: that it was confirmed before, or leads elsewhere. */
  outcome?: Outcome;
  /** What the person's page says first to who has got a place: they go straight there. */
  arrived?: string;
  /** The same to someone for whom a place is kept until they pay for it. */
  kept?: string;
  /** In place of that: what they can do at once, before the way to their page. */
  start?: ReactNode;
  /** By status for a request, with `#` for the number and `other` for the rest. */
  outcomes: Record<string, { title: string; text: string }>;
  texts: { confirm: string; pending: string; next: string; forget?: string };
  /** Above the button: what it does, and for whom. */
  question: ReactNode;
  /** Below the button. */
  details: ReactNode;
  /** In the place of both if the link no longer works, or enrolling no longer does. */
  instead?: ReactNode;
};

const LinkContext = createContext('');

/** The link of the person whom a confirmation has just enrolled: what comes after /p/. */
export function useConfirmedLink(): string {
  return useContext(LinkContext);
}

/** Confirms on this click only, says what has become of it, and leads on. */
export function ConfirmationButton(props: ConfirmationButtonProps) {
  const { outcomes, texts } = props;
  const [outcome, setOutcome] = useState(props.outcome ?? null);
  const [problem, setProblem] = useState<string | null>(null);
  function finish(answer: RequestConfirmed | InterestConfirmed): 'leaving' | undefined {
    if ('status' in answer) {
      const said: Partial<Record<typeof answer.status, string | undefined>> = {
        enrolled: props.arrived,
        offered: props.kept,
      };
      const text = said[answer.status];
      if (text !== undefined) {
        return leaveFor(answer.redirect_to, text);
      }
    }
    setOutcome(outcomeOf(answer));
    return undefined;
  }
  const button = {
    call: { input: { token: props.token } },
    pendingLabel: texts.pending,
    onFailure({ status, body }: ApiFailure): boolean {
      const isRefused = status === 400 || status === 422;
      setProblem(isRefused ? (body?.message ?? null) : null);
      return isRefused;
    },
  };
  if (outcome !== null && problem === null) {
    const canStart = props.start !== undefined && outcome.key === 'enrolled';
    const words = outcomes[outcome.key] ?? outcomes['other'];
    return (
      // Mounted again for each, because the button that had the focus is gone.
      <PageOutcome
        key={outcome.key}
        title={words?.title.replace('#', String(outcome.queuePosition ?? ''))}
        text={words?.text}
        isAtFirst={outcome === props.outcome}
      >
        {canStart && (
          <LinkContext value={outcome.href?.split('/').at(-1) ?? ''}>{props.start}</LinkContext>
        )}
        {outcome.href && (
          <a className={`button ${canStart ? 'mt-4' : 'button-primary'}`} href={outcome.href}>
            {texts.next}
          </a>
        )}
        {outcome.key === 'waiting' && (
          <ActionButton
            path="/api/public/interests/forget/"
            onDone={() => setOutcome({ key: 'forgotten' })}
            {...button}
          >
            {texts.forget}
          </ActionButton>
        )}
      </PageOutcome>
    );
  }
  return (
    <>
      {props.question}
      <div role="alert">{problem !== null && <div className="alert mb-6">{problem}</div>}</div>
      {problem === null ? (
        <>
          <ActionButton
            path={props.path}
            className="button button-primary"
            onDone={finish}
            {...button}
          >
            {texts.confirm}
          </ActionButton>
          {props.details}
        </>
      ) : (
        props.instead
      )}
    </>
  );
}

function outcomeOf(answer: RequestConfirmed | InterestConfirmed): Outcome {
  const { redirect_to: href } = answer;
  return 'status' in answer
    ? { key: answer.status, href, queuePosition: answer.queue_position }
    : { key: href === null ? 'waiting' : 'open', href };
}
