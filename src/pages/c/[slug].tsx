import type { PageProps } from 'waku/router';
import { calendarPaths } from '#features/calendar/addresses.ts';
import { CalendarFile } from '#features/calendar/calendar-file.tsx';
import { findPublicPage } from '#features/cohorts/find-public-cohort.ts';
import { PublicPage } from '#features/cohorts/public-cohort.tsx';
import { CoursePage } from '#features/cohorts/public-course.tsx';
import { InterestBox } from '#features/people/interest-box.tsx';
import { formStamp } from '#features/people/links.ts';
import { PublicBox } from '#features/people/public-box.tsx';
import { keptOr404, pageData, pageRequest } from '#page-request.ts';

/** The public page of a cohort or of a course. */
export default async function PublicCohortPage({ slug }: PageProps<'/c/[slug]'>) {
  const { ctx, operatorName } = pageRequest();
  const { cohort, course } = keptOr404(await pageData(findPublicPage(ctx, slug)));
  if (course === null) {
    return (
      <PublicPage
        cohort={cohort}
        box={<PublicBox cohort={cohort} operatorName={operatorName} />}
        calendar={
          <CalendarFile
            href={calendarPaths.file(`/c/${cohort.slug}`)}
            className="button justify-self-start"
          />
        }
      />
    );
  }
  const box = course.canEnroll ? null : (
    <InterestBox course={course} stamp={await formStamp(ctx)} operatorName={operatorName} />
  );
  return <CoursePage course={course} box={box} />;
}

export const getConfig = async () => ({ render: 'dynamic' }) as const;
