import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { LearnerFrame } from './learner-frame.tsx';

type ClosedPageProps = {
  /** Whom this device remembers; null: no one. */
  person: { name: string } | null;
  /** The form that sends a link to someone who takes part. */
  wayBack: ReactNode;
};

/**
 * What a learner’s page shows instead of a course or lesson that is not open to its reader. It
 * says nothing of them, not even whether they exist.
 */
export function ClosedPage({ person, wayBack }: ClosedPageProps) {
  const { t } = useLingui();
  const title = person === null ? t`Open your course` : t`This lesson isn’t open to you`;
  return (
    <LearnerFrame title={title} person={person}>
      <main id="main" className="public-column">
        <h1>{title}</h1>
        <p className="frame-lead">
          {person === null ? (
            <Trans>
              This device doesn’t remember you. Enter the email address you enrolled with, and we’ll
              send you a link.
            </Trans>
          ) : (
            <Trans>
              It may not be published, or it belongs to a course that you’re not enrolled in. If you
              enrolled with another email address, enter it here.
            </Trans>
          )}
        </p>
        {wayBack}
      </main>
    </LearnerFrame>
  );
}
