import { Trans } from '@lingui/react/macro';
import { LessonText } from '#features/documents/lesson-text.tsx';
import { byKey } from '#features/files/shown-file.ts';
import { PrintButton, PrintStyles } from '#ui/print.tsx';
import { LearnerFrame } from './learner-frame.tsx';
import { LessonHeading } from './lesson-page.tsx';
import { lessonsOf, type Outline, type Ways } from './outline.ts';
import type { LearnerLessonText } from './schema.ts';

type WholeCourseProps = {
  outline: Outline;
  ways: Ways;
  texts: readonly Pick<LearnerLessonText, 'id' | 'html' | 'files'>[];
};

/** All lessons of a course that are open on one page, to print or to search. */
export function WholeCourse({ outline, ways, texts }: WholeCourseProps) {
  const { course, person } = outline;
  const lessons = lessonsOf(outline);
  const open = lessons.filter(({ opening }) => opening === null);
  return (
    <LearnerFrame title={course.name} person={person} className="mx-auto max-w-154">
      <PrintStyles />
      <header className="mt-4 mb-12 grid justify-items-start gap-3">
        <h1 dir="auto">{course.name}</h1>
        <div className="actions">
          <PrintButton className="button">
            <span className="icon icon-print" />
            <Trans>Print</Trans>
          </PrintButton>
          <a className="button button-quiet" href={ways.course}>
            <Trans>Back to the course</Trans>
          </a>
        </div>
      </header>
      {lessons.length === 0 && (
        <p>
          <Trans>No lesson is published yet.</Trans>
        </p>
      )}
      {lessons.length > 0 && open.length === 0 && (
        <p>
          <Trans>No lesson is open yet.</Trans>
        </p>
      )}
      {open.map((lesson) => {
        const text = texts.find(({ id }) => id === lesson.id);
        return (
          <article key={lesson.id} className="whole-lesson">
            <LessonHeading lesson={lesson} of={lessons.length} level="h2" />
            {text && (
              <LessonText
                {...text}
                hue={course.hue}
                files={byKey(text.files)}
                lessonPath={ways.linked}
              />
            )}
          </article>
        );
      })}
    </LearnerFrame>
  );
}
