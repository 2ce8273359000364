import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { Course } from '#features/courses/schema.ts';
import { fullPriceOf, priceOf } from '#lib/price.ts';
import { paths } from '#paths.ts';
import { Empty } from '#ui/empty.tsx';
import type { DeletedCourse } from './find-balances.ts';
import {
  addTotals,
  LedgerHead,
  type OnlineHead,
  PeopleCount,
  TotalsTable,
} from './ledger-parts.tsx';
import { paymentPaths } from './payment-paths.ts';
import type { CohortTotals } from './schema.ts';

type CourseTotalsProps = {
  course: Course;
  cohorts: CohortTotals[];
  /** The open run among the cohorts. */
  runId: string | null;
  deleted: DeletedCourse[];
  online: OnlineHead | null;
  /** What the owner has to look at. */
  children: ReactNode;
};

/** What the cohorts of a course add up to. */
export function CourseTotals(props: CourseTotalsProps) {
  const { course, cohorts, runId, deleted, online, children } = props;
  const used = cohorts.filter(({ accounts }) => accounts > 0);
  const currencies = [...new Set(used.flatMap(({ currency }) => currency ?? []))].sort();
  return (
    <>
      <LedgerHead name={course.name} file={paymentPaths.courseFile(course.id)} online={online} />
      {children}
      {cohorts.length === 0 ? (
        <NoCohorts isCohort={course.course_type === 'cohort'} />
      ) : (
        <div className="accounts">
          {currencies.map((currency) => (
            <TotalsTable
              key={currency}
              currency={currency}
              totals={addTotals(used.filter((one) => one.currency === currency))}
            />
          ))}
          <section aria-labelledby="by-cohort">
            <h2 id="by-cohort">
              {cohorts.some((cohort) => cohort.cohort_id === runId) ? (
                <Trans>People in this course</Trans>
              ) : (
                <Trans>By cohort</Trans>
              )}
            </h2>
            <ul className="account-rows">
              {cohorts.map((cohort) => (
                <CohortRow key={cohort.cohort_id} cohort={cohort} />
              ))}
            </ul>
          </section>
        </div>
      )}
      {deleted.length > 0 && <DeletedCourses courses={deleted} />}
    </>
  );
}

function DeletedCourses({ courses }: { courses: DeletedCourse[] }) {
  return (
    <section aria-labelledby="deleted-courses" className="accounts mt-10">
      <div>
        <h2 id="deleted-courses">
          <Trans>Deleted courses</Trans>
        </h2>
        <p className="text-muted">
          <Trans>Their accounts are kept. You can’t add to them anymore.</Trans>
        </p>
      </div>
      <ul className="account-rows">
        {courses.map(({ id, name }) => (
          <li key={id} className="account-row" data-kind="cohort">
            <div className="person-name">
              <a href={paymentPaths.courseFile(id)} download dir="auto">
                {name}
              </a>
              <span className="text-muted">
                <Trans>Download CSV</Trans>
              </span>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function NoCohorts({ isCohort }: { isCohort: boolean }) {
  const { t } = useLingui();
  return isCohort ? (
    <Empty title={t`No cohorts yet.`}>
      <p>
        <Trans>
          Set a price for a cohort, and everyone who enrolls is charged. Then record here who has
          paid.
        </Trans>
      </p>
      <a className="button button-primary button-large" href={paths.newCohort}>
        <span className="icon icon-plus" />
        <Trans>New cohort</Trans>
      </a>
    </Empty>
  ) : (
    <Empty title={t`No payments here.`}>
      <p>
        <Trans>
          Open enrollment and set a price, and everyone who enrolls is charged. Then record here who
          has paid.
        </Trans>
      </p>
      <a className="button button-primary button-large" href={paths.cohorts}>
        <Trans>Enrollment</Trans>
      </a>
    </Empty>
  );
}

function CohortRow({ cohort }: { cohort: CohortTotals }) {
  const { i18n, t } = useLingui();
  const { currency, owed_minor: owed } = cohort;
  const amount = currency === null ? '' : priceOf(owed, currency, i18n.locale);
  const paid = currency === null ? '' : fullPriceOf(cohort.paid_minor, currency, i18n.locale);
  return (
    <li className="account-row" data-kind="cohort">
      <div className="person-name">
        <a href={paymentPaths.cohort(cohort.cohort_id)} dir="auto">
          {cohort.cohort_name}
        </a>
        <span className="text-muted">
          {cohort.accounts === 0 ? (
            <Trans>No entries</Trans>
          ) : (
            <PeopleCount count={cohort.accounts} />
          )}
        </span>
      </div>
      {cohort.accounts > 0 && (
        <>
          <span className="account-amount">{t`Paid ${paid}`}</span>
          <span className="account-state">
            <span className="chip status" data-status={owed > 0 ? 'full' : 'running'}>
              {owed > 0 ? t`${amount} owed` : <Trans>Settled</Trans>}
            </span>
          </span>
        </>
      )}
    </li>
  );
}
