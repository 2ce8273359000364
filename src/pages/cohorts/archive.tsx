import { Trans, useLingui } from '@lingui/react/macro';
import { BackToCohorts, ListHead } from '#features/planning/cohort-list.tsx';
import { CohortRows } from '#features/planning/cohort-rows.tsx';
import { listOwnCohorts } from '#features/planning/own-cohorts.ts';
import { AppShell } from '#features/shell/app-shell.tsx';
import { requireCourse } from '#page-request.ts';
import { paths } from '#paths.ts';

export default async function ArchivedCohortsPage() {
  const request = await requireCourse({ cohorts: listOwnCohorts });
  const { t } = useLingui();
  const { archived } = request.answers.cohorts;
  return (
    <AppShell request={request} current={paths.cohorts} title={t`Archived cohorts`}>
      <ListHead title={t`Archived cohorts`} course={request.course.name}>
        <BackToCohorts href={paths.cohorts} />
      </ListHead>
      {archived.length > 0 ? (
        <CohortRows cohorts={archived.toReversed()} />
      ) : (
        <p className="text-muted">
          <Trans>Nothing is archived. Archived cohorts stay readable, out of the way.</Trans>
        </p>
      )}
    </AppShell>
  );
}
