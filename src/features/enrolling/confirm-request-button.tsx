'use client';

import { type ReactNode, useState } from 'react';
import { ActionButton } from '#client/action-button.tsx';
import { PageOutcome } from '#ui/outcome.tsx';
import { enrollingPaths } from './enrolling-paths.ts';
import type { RequestConfirmed } from './schema.ts';

type ConfirmRequestButtonProps = {
  token: string;
  label: string;
  pendingLabel: string;
  /** What has become of the request, by status; `other` for the rest. With `#` for the number. */
  outcomes: Record<string, { title: string; text: string }>;
  seePlace: string;
  /** Above the button: what it does, and for whom. */
  question: ReactNode;
  /** Below the button. */
  details: ReactNode;
  /** In the place of both if the link no longer works, or enrolling no longer does. */
  instead: ReactNode;
};

/** Confirms a request on this click only, says what has become of it, and leads on. */
export function ConfirmRequestButton(props: ConfirmRequestButtonProps) {
  const { token, label, pendingLabel, outcomes, seePlace, question, details, instead } = props;
  const [outcome, setOutcome] = useState<RequestConfirmed | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  if (outcome !== null) {
    const said = outcomes[outcome.status] ?? outcomes['other'];
    return (
      <PageOutcome
        title={said?.title.replace('#', String(outcome.queue_position ?? ''))}
        text={said?.text}
      >
        <a className="button button-primary" href={outcome.redirect_to}>
          {seePlace}
        </a>
      </PageOutcome>
    );
  }
  return (
    <>
      {question}
      <div role="alert">{problem !== null && <div className="alert mb-6">{problem}</div>}</div>
      {problem === null ? (
        <>
          <ActionButton
            path={enrollingPaths.confirmRequest}
            call={{ input: { token } }}
            pendingLabel={pendingLabel}
            className="button button-primary"
            onDone={setOutcome}
            onFailure={({ status, body }) => {
              const isRefused = status === 400 || status === 422;
              setProblem(isRefused ? (body?.message ?? null) : null);
              return isRefused;
            }}
          >
            {label}
          </ActionButton>
          {details}
        </>
      ) : (
        instead
      )}
    </>
  );
}
