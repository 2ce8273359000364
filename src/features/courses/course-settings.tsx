import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { CohortCount } from '#features/planning/own-cohorts.ts';
import { DeleteDialog, DeletionButton } from '#features/settings/delete-dialog.tsx';
import { sectionIds } from '#features/settings/section-ids.ts';
import { longDate } from '#lib/time/words.ts';
import { apiPaths } from '#paths.ts';
import { SettingsSection } from '#ui/settings-section.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { CourseFields } from './course-fields.tsx';
import { CourseForm } from './course-form.tsx';
import { CourseTile } from './course-tile.tsx';
import { courseTypeNames } from './course-types.ts';
import { courseMessages } from './form-messages.ts';
import type { Course } from './schema.ts';

/** The cohorts of a course with their people, and the people of its open run. */
type CourseCounts = CohortCount & { runPeople: number | null };

type CourseSettingsProps = {
  course: Course;
  counts: CourseCounts;
  /** The switch of the outline on public pages. */
  children: ReactNode;
};

/** The name, type and description of a course, and whether its outline is public. */
export function CourseSettings({ course, counts, children }: CourseSettingsProps) {
  const { i18n, t } = useLingui();
  const { name, course_type } = course;
  const { cohorts: cohortCount, runPeople } = counts;
  const about = course.about ?? '';
  const shows_outline = course.shows_outline ? 'on' : 'off';
  return (
    <SettingsSection
      id={sectionIds.course}
      title={t`Name and type`}
      description={t`Students see the name. The type determines when they can start.`}
      note={
        (cohortCount > 0 || runPeople !== null) && (
          <>
            {cohortCount > 0 && (
              <Plural
                value={cohortCount}
                one="This course has # cohort. An evergreen course keeps the cohorts it has, and gets no new ones."
                other="This course has # cohorts. An evergreen course keeps the cohorts it has, and gets no new ones."
              />
            )}{' '}
            {runPeople !== null && (
              <RunNote isCohort={course_type === 'cohort'} people={runPeople} />
            )}
          </>
        )
      }
    >
      <CourseForm
        // A new form for another course.
        key={course.id}
        path={apiPaths.course(course.id)}
        messages={courseMessages(i18n)}
        stored={{ name, course_type, about, shows_outline }}
        texts={{
          save: t`Save changes`,
          saving: t`Saving…`,
          unsaved: t`Not saved yet`,
          saved: t`Course saved.`,
        }}
      >
        <CourseFields id="selected-course" />
        <TextArea
          id="selected-course-about"
          name="about"
          label={t`About the course`}
          hint={
            course_type === 'evergreen'
              ? t`Optional, up to 2,000 characters. The public page of the course shows it.`
              : t`Optional, up to 2,000 characters. The public pages of the course and of its cohorts show it.`
          }
          rows={6}
          dir="auto"
        />
        {children}
      </CourseForm>
    </SettingsSection>
  );
}

/** What another type does to enrollment in the open run of a course. */
function RunNote({ isCohort, people }: { isCohort: boolean; people: number }) {
  const { t } = useLingui();
  if (people === 0) {
    return isCohort
      ? t`If you change it back to an evergreen course, enrollment is as it was before.`
      : t`If you change it to a cohort course, enrollment closes.`;
  }
  return isCohort ? (
    <Plural
      value={people}
      one="# person is in this course at their own pace and can continue. If you change it back to an evergreen course, enrollment is as it was before."
      other="# people are in this course at their own pace and can continue. If you change it back to an evergreen course, enrollment is as it was before."
    />
  ) : (
    <Plural
      value={people}
      one="If you change it to a cohort course, enrollment closes. # person is in this course and can continue."
      other="If you change it to a cohort course, enrollment closes. # people are in this course and can continue."
    />
  );
}

const dialogId = 'delete-course';

/** The section and the dialog that delete a course. */
export function DeleteCourse({ course, counts }: { course: Course; counts: CourseCounts }) {
  const { i18n, t } = useLingui();
  const type = <span>{courseTypeNames(i18n)[course.course_type]}</span>;
  const { created_at: createdAt } = course;
  const runPeople = counts.runPeople ?? 0;
  const created = <time dateTime={createdAt}>{longDate(new Date(createdAt), i18n.locale)}</time>;
  return (
    <SettingsSection
      id={sectionIds.deleteCourse}
      title={t`Delete this course`}
      description={t`Permanently deletes this course. Your other courses aren’t affected.`}
    >
      <DeletionButton dialogId={dialogId}>
        <Trans>Delete this course</Trans>
      </DeletionButton>
      <DeleteDialog
        id={dialogId}
        title={t`Delete this course?`}
        path={apiPaths.course(course.id)}
        sign={<CourseTile course={course} />}
        name={course.name}
        about={
          <Trans>
            {type}, created {created}
          </Trans>
        }
        expected={course.name}
        deleted={t`Course deleted.`}
        confirm={t`Delete this course`}
      >
        <Trans>This permanently deletes the course and everything in it. It can’t be undone.</Trans>{' '}
        {counts.cohorts > 0 && (
          <Plural
            value={counts.cohorts}
            one="The course has # cohort."
            other="The course has # cohorts."
          />
        )}{' '}
        {counts.people > 0 && (
          <Plural
            value={counts.people}
            one="# person is in the cohorts, so move the cohorts to the trash first."
            other="# people are in the cohorts, so move the cohorts to the trash first."
          />
        )}{' '}
        {runPeople > 0 && (
          <Plural
            value={runPeople}
            one="# person is in the course, so close enrollment and remove them first."
            other="# people are in the course, so close enrollment and remove them first."
          />
        )}
      </DeleteDialog>
    </SettingsSection>
  );
}
