import { Trans, useLingui } from '@lingui/react/macro';
import { LearnerFrame } from './learner-frame.tsx';
import { WayBack } from './way-back.tsx';

type ClosedPageProps = {
  /** Whom this device remembers; null: no one. */
  person: { name: string } | null;
  /** Null without a course in the address. */
  courseId: string | null;
};

/**
 * What a learner’s page shows instead of a course or lesson that is not open to its reader. It
 * says nothing of them, not even whether they exist.
 */
export function ClosedPage({ person, courseId }: ClosedPageProps) {
  const { t } = useLingui();
  const title = person === null ? t`Open your course` : t`This lesson isn’t open to you`;
  return (
    <LearnerFrame title={title} person={person}>
      <main id="main" className="public-column">
        <h1>{title}</h1>
        <p className="frame-lead">
          {person !== null ? (
            <Trans>
              It may not be published, or it belongs to a course that you’re not enrolled in. If you
              enrolled with another email address, enter it here.
            </Trans>
          ) : courseId === null ? (
            <Trans>This device doesn’t remember you.</Trans>
          ) : (
            <Trans>
              This device doesn’t remember you. Enter the email address you enrolled with, and we’ll
              send you a link.
            </Trans>
          )}
        </p>
        <WayBack courseId={courseId} />
      </main>
    </LearnerFrame>
  );
}
