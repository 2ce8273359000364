import { Trans, useLingui } from '@lingui/react/macro';
import { ProfileCard } from '#features/accounts/profile-card.tsx';
import { LogoutButton } from '#features/auth/logout-button.tsx';
import { courseTypeNames } from '#features/courses/course-fields.tsx';
import { AppShell } from '#features/shell/app-shell.tsx';
import { requireCourse } from '#page-request.ts';
import { paths } from '#paths.ts';

export default async function HomePage() {
  const request = await requireCourse();
  const { t } = useLingui();
  const { course } = request;
  const { viewer } = request.ctx;
  const { firstName } = viewer;
  const soon = [
    {
      title: t`Cohorts`,
      description: t`Teach a group together, with set dates.`,
      icon: 'icon-cohorts',
    },
    {
      title: t`Workshops`,
      description: t`Run a one-off live session.`,
      icon: 'icon-workshops',
    },
  ];
  return (
    <AppShell request={request} current={paths.home} title={t`Home`}>
      <div className="page-head">
        <div className="min-w-0">
          <h1>
            {/* One text node, because a name in its own element shifts when the font loads. */}
            {t`Welcome, ${firstName}`}
          </h1>
          <p className="mt-2 text-muted">
            {course.name} · {courseTypeNames(request.i18n)[course.course_type]}
          </p>
        </div>
        <LogoutButton className="button button-small" pendingLabel={t`Logging out…`}>
          <Trans>Log out</Trans>
        </LogoutButton>
      </div>
      <ProfileCard viewer={viewer} />
      <section aria-labelledby="quick" className="grid gap-4">
        <h2 id="quick">
          <Trans>Quick actions</Trans>
        </h2>
        <ul className="grid gap-4 sm:grid-cols-2">
          {soon.map(({ title, description, icon }) => (
            <li key={title} className="grid">
              <button type="button" disabled className="card quick">
                <span className={`icon ${icon}`} />
                <span className="font-serif text-xl font-semibold text-ink">{title}</span>
                <span>{description}</span>
                <span className="badge">
                  <Trans>Coming soon</Trans>
                </span>
              </button>
            </li>
          ))}
        </ul>
      </section>
    </AppShell>
  );
}

export const getConfig = async () => ({ render: 'dynamic' }) as const;
