import { Trans, useLingui } from '@lingui/react/macro';
import { mailtoOf } from '#lib/email-address.ts';
import { dayIn } from '#lib/time/words.ts';
import { OpensOn } from './course-page.tsx';
import type { EndedAccess } from './find-learner.ts';
import { LearnerFrame } from './learner-frame.tsx';
import { learningPaths } from './learning-paths.ts';
import { LastDay } from './opening-words.tsx';
import type { Outline, PlacedLesson } from './outline.ts';
import { WayBack } from './way-back.tsx';

type ClosedPageProps = {
  /** Whom this device remembers; null: no one. */
  person: { name: string } | null;
  /** Null without a course in the address. */
  courseId: string | null;
  /** What the reader asked for. */
  of?: 'lessons' | 'certificate';
};

/**
 * What a learner’s page shows instead of a course or lesson that is not open to its reader, or of a
 * certificate that they do not have. It says nothing of them, not even whether they exist.
 */
export function ClosedPage({ person, courseId, of = 'lessons' }: ClosedPageProps) {
  const { t } = useLingui();
  const isOfCertificate = of === 'certificate';
  const closed = isOfCertificate
    ? t`You don’t have a certificate yet`
    : t`This lesson isn’t open to you`;
  const title = person === null ? t`Open your course` : closed;
  return (
    <LearnerFrame title={title} person={person} className="public-column">
      <h1>{title}</h1>
      <p className="frame-lead">
        {person !== null && isOfCertificate ? (
          <Trans>
            You’ll find it here once you’ve completed the course. If you enrolled with another email
            address, enter it here.
          </Trans>
        ) : person !== null ? (
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
    </LearnerFrame>
  );
}

/** Instead of a course whose lessons its reader could read until some day. */
export function EndedPage({ ended }: { ended: EndedAccess }) {
  const { i18n, t } = useLingui();
  const title = t`Your access has ended`;
  const course = <bdi>{ended.course.name}</bdi>;
  const name = <bdi>{ended.instructor.name}</bdi>;
  const day = <LastDay before={ended.endedAt.toISOString()} locale={i18n.locale} />;
  return (
    <LearnerFrame title={title} person={ended.person} className="public-column">
      <h1>{title}</h1>
      <p className="frame-lead">
        <Trans>
          Your access to {course} ended on {day}. To keep reading, write to {name}.
        </Trans>
      </p>
      <div className="actions">
        <a className="button button-primary button-large" href={mailtoOf(ended.instructor.email)}>
          <span className="icon icon-mail" />
          <span>
            <Trans>Write to {name}</Trans>
          </span>
        </a>
        {ended.isCompleted && (
          <a className="button button-large" href={learningPaths.certificate(ended.course.id)}>
            <Trans>See my certificate</Trans>
          </a>
        )}
      </div>
    </LearnerFrame>
  );
}

type LaterLessonProps = { outline: Outline; lesson: PlacedLesson; now: Date };

/** Instead of a lesson that its reader sees in the outline, and that opens later. */
export function LaterLesson({ outline: { course, person }, lesson, now }: LaterLessonProps) {
  const { t } = useLingui();
  const title = t`This lesson isn’t open to you`;
  return (
    <LearnerFrame title={title} person={person} className="public-column">
      <h1>{title}</h1>
      <p className="frame-lead">
        <strong dir="auto">{lesson.title}</strong>
      </p>
      {lesson.opening && (
        <p className="mb-4">
          <OpensOn opening={lesson.opening} today={dayIn('UTC', now)} />
        </p>
      )}
      <a className="button" href={learningPaths.course(course.id)}>
        <Trans>Back to the course</Trans>
      </a>
    </LearnerFrame>
  );
}
