import type { PageProps } from 'waku/router';
import { calendarPaths } from '#features/calendar/addresses.ts';
import { CalendarFile } from '#features/calendar/calendar-links.tsx';
import { formStamp } from '#features/enrolling/form-stamp.ts';
import { InterestBox } from '#features/enrolling/interest-box.tsx';
import { PublicBox } from '#features/enrolling/public-box.tsx';
import { findPublicPage } from '#features/public-pages/find-public-pages.ts';
import { CoursePage, PublicPage } from '#features/public-pages/public-pages.tsx';
import { RunPage } from '#features/public-pages/run-page.tsx';
import { ShareTags } from '#features/public-pages/share-tags.tsx';
import { cacheableOr404, pageData, pageRequest } from '#page-request.ts';

export default async function PublicCohortPage({ slug }: PageProps<'/c/[slug]'>) {
  const { ctx, operatorName } = pageRequest();
  const found = cacheableOr404(await pageData(findPublicPage(ctx, slug)));
  const { cohort, run, course } = found;
  const tags = <ShareTags appOrigin={ctx.config.appOrigin} {...found} />;
  if (run !== null) {
    return (
      <>
        {tags}
        <RunPage run={run} box={<PublicBox cohort={run} operatorName={operatorName} />} />
      </>
    );
  }
  if (cohort !== null) {
    return (
      <>
        {tags}
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
      </>
    );
  }
  const box = course.canEnroll ? null : (
    <InterestBox course={course} stamp={await formStamp(ctx)} operatorName={operatorName} />
  );
  return (
    <>
      {tags}
      <CoursePage course={course} box={box} />
    </>
  );
}
