import 'server-only';
import type { MessageDescriptor } from '@lingui/core';
import type { ReactElement, ReactNode } from 'react';
import type { ViewerContext, ViewerQueries } from '#features/identity/find-actor.ts';
import { CohortFrame, type Section } from '#features/planning/cohort-frame.tsx';
import { findOwnCohort, type OwnCohort } from '#features/planning/own-cohorts.ts';
import { MissingPage } from './missing-page.tsx';
import { redirectFromTrash, requireCourse } from './page-request.ts';

/**
 * The first line of the pages of one cohort, which are only for its owner. From the trash, they
 * lead to the overview, which can take the cohort out of it.
 *
 * @param heading the section of the cohort, or the title of a page of its own
 * @param viewerQueries for the viewer's data, run in the same trip to the database
 * @param render makes the content of the results; null if the page does not exist
 * @param trail `needsDates`: of pages that an open run doesn't have; `section`: the parent of a page
 *   of its own; `person`: whom the page is about; `isPaper`: names course and cohort in the document
 *   title, by which it is saved as a file
 */
export async function cohortPage<Answers = object>(
  id: string,
  heading: Section | MessageDescriptor,
  viewerQueries: ViewerQueries<Answers>,
  render: (answers: Answers & { cohort: OwnCohort }, ctx: ViewerContext) => ReactNode,
  trail: {
    needsDates?: boolean;
    section?: Section;
    person?: (answers: Answers) => string | undefined;
    isPaper?: boolean;
  } = {},
): Promise<ReactElement> {
  const request = await requireCourse<{ cohort: OwnCohort | null }>({
    cohort: findOwnCohort(id),
    ...viewerQueries,
  });
  const { cohort } = request.answers;
  // It has the results of the page's queries too.
  const answers = { ...request.answers, cohort } as Answers & { cohort: OwnCohort };
  const isAbsent = cohort?.kind === 'open' && isOfDates(heading, trail);
  const content = isAbsent ? null : cohort && (await render(answers, request.ctx));
  if (cohort === null || content === null) {
    return <MissingPage request={request} />;
  }
  if (heading !== 'overview') {
    redirectFromTrash(cohort);
  }
  const isSection = typeof heading === 'string';
  const person = trail.person?.(answers) ?? null;
  return (
    <CohortFrame
      request={request}
      cohort={cohort}
      section={isSection ? heading : null}
      parentSection={trail.section ?? null}
      person={person}
      isPaper={trail.isPaper}
      {...(!isSection && { title: request.i18n._(heading) })}
    >
      {content}
    </CohortFrame>
  );
}

/** Whether a page makes sense only with dates, which an open run does not have. */
function isOfDates(
  heading: Section | MessageDescriptor,
  { needsDates = false, section }: { needsDates?: boolean; section?: Section },
): boolean {
  const isOf = (one: unknown) => one === 'schedule' || one === 'attendance';
  return needsDates || isOf(heading) || isOf(section);
}
