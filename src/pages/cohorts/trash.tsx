import { Trans, useLingui } from '@lingui/react/macro';
import { BackToCohorts, ListHead } from '#features/planning/cohort-list.tsx';
import { CohortRows } from '#features/planning/cohort-rows.tsx';
import { listOwnTrash } from '#features/planning/own-cohorts.ts';
import { AppShell } from '#features/shell/app-shell.tsx';
import { requireCourse } from '#page-request.ts';
import { paths } from '#paths.ts';

export default async function TrashedCohortsPage() {
  const request = await requireCourse({ trashed: listOwnTrash });
  const { t } = useLingui();
  const { trashed } = request.answers;
  return (
    <AppShell request={request} current={paths.cohorts} title={t`Trash`}>
      <ListHead title={t`Trash`} course={request.course.name}>
        <BackToCohorts href={paths.cohorts} />
      </ListHead>
      {trashed.length > 0 ? (
        <>
          <p className="text-muted">
            <Trans>Cohorts are deleted permanently after 30 days here.</Trans>
          </p>
          <CohortRows cohorts={trashed} />
        </>
      ) : (
        <p className="text-muted">
          <Trans>The trash is empty.</Trans>
        </p>
      )}
    </AppShell>
  );
}
