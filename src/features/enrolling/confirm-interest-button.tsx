'use client';

import { type ReactNode, useState } from 'react';
import { ActionButton } from '#client/action-button.tsx';
import type { ApiFailure } from '#client/call-api.ts';
import { PageOutcome } from '#ui/outcome.tsx';
import { enrollingPaths } from './enrolling-paths.ts';

type Said = { title: string; text: string };

type ConfirmInterestProps = {
  token: string;
  /** Whether it was confirmed before. */
  isConfirmed: boolean;
  /** Above the button: what it does, and for whom. */
  question: ReactNode;
  details: ReactNode;
  texts: {
    confirm: string;
    pending: string;
    confirmed: Said;
    /** Enrollment is open by now. */
    open: Said;
    seeCohort: string;
    forget: string;
    forgetting: string;
    forgotten: Said;
  };
};

type State =
  | { kind: 'asked' | 'confirmed' | 'forgotten'; isNew: boolean }
  | { kind: 'open'; href: string; isNew: true };

/** Confirms on this click only that someone waits for enrollment, and forgets them on another. */
export function ConfirmInterest(props: ConfirmInterestProps) {
  const { token, texts } = props;
  const [state, setState] = useState<State>({
    kind: props.isConfirmed ? 'confirmed' : 'asked',
    isNew: false,
  });
  const [problem, setProblem] = useState<string | null>(null);
  const call = { input: { token } };
  const onFailure = ({ status, body }: ApiFailure) => {
    setProblem(status === 400 ? (body?.message ?? null) : null);
    return status === 400;
  };
  if (problem !== null) {
    return (
      <div role="alert">
        <div className="alert">{problem}</div>
      </div>
    );
  }
  if (state.kind === 'asked') {
    return (
      <>
        {props.question}
        <ActionButton
          path={enrollingPaths.confirmInterest}
          call={call}
          pendingLabel={texts.pending}
          className="button button-primary"
          onDone={({ redirect_to: href }) =>
            setState(
              href === null
                ? { kind: 'confirmed', isNew: true }
                : { kind: 'open', href, isNew: true },
            )
          }
          onFailure={onFailure}
        >
          {texts.confirm}
        </ActionButton>
        {props.details}
      </>
    );
  }
  const { title, text } = texts[state.kind];
  return (
    // Mounted again for each state, because the button that had the focus is gone.
    <PageOutcome key={state.kind} title={title} text={text} isAtFirst={!state.isNew}>
      {state.kind === 'open' && (
        <a className="button button-primary" href={state.href}>
          {texts.seeCohort}
        </a>
      )}
      {state.kind === 'confirmed' && (
        <ActionButton
          path={enrollingPaths.forgetInterest}
          call={call}
          pendingLabel={texts.forgetting}
          onDone={() => setState({ kind: 'forgotten', isNew: true })}
          onFailure={onFailure}
        >
          {texts.forget}
        </ActionButton>
      )}
    </PageOutcome>
  );
}
