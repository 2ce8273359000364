import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { CourseTile } from '#features/courses/course-tile.tsx';
import type { CourseOfLearner } from './find-learner.ts';
import { LearnerFrame } from './learner-frame.tsx';
import { learningPaths } from './learning-paths.ts';
import { WayBack } from './way-back.tsx';

type CoursesPageProps = {
  person: { name: string };
  courses: CourseOfLearner[];
  device: ReactNode;
};

/** The courses that this device opens. */
export function CoursesPage({ person, courses, device }: CoursesPageProps) {
  const { t } = useLingui();
  return (
    <LearnerFrame title={t`Your courses`} person={person} className="public-column">
      <h1>{t`Your courses`}</h1>
      {courses.length === 0 && (
        <p className="frame-lead">
          <Trans>There are no lessons for you on this device yet.</Trans>
        </p>
      )}
      <ul className="mt-6 mb-4 grid gap-3">
        {courses.map(({ course, cohort, instructor, done, of, ended }) => (
          <li key={course.id}>
            <a
              className="card flex min-w-0 items-center gap-4 hover:border-rule"
              href={learningPaths.course(course.id)}
            >
              <CourseTile course={course} />
              <span className="grid min-w-0 wrap-anywhere">
                <strong dir="auto">{course.name}</strong>
                <small className="text-sm text-muted">
                  {cohort && (
                    <>
                      <bdi>{cohort.name}</bdi> ·{' '}
                    </>
                  )}
                  <bdi>{instructor.name}</bdi>
                </small>
                <small className="text-sm text-muted">
                  {ended
                    ? t`Your access has ended`
                    : t`${plural(of, {
                        one: `${done} of # lesson done`,
                        other: `${done} of # lessons done`,
                      })}`}
                </small>
              </span>
            </a>
          </li>
        ))}
      </ul>
      {device}
      <details className="mt-6">
        <summary className="cursor-pointer py-2.5 font-medium">
          <Trans>Open another course</Trans>
        </summary>
        <WayBack courseId={null} />
      </details>
    </LearnerFrame>
  );
}
