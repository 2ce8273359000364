import { Trans } from '@lingui/react/macro';
import { lessonPaths } from './lesson-paths.ts';

/** Leads back from a page beside the lessons, as on phones nothing else does. */
export function AllLessonsLink() {
  return (
    <a className="button button-quiet" href={lessonPaths.list}>
      <span className="icon icon-back" />
      <Trans>All lessons</Trans>
    </a>
  );
}
