import { Trans, useLingui } from '@lingui/react/macro';
import { unstable_redirect as redirect } from 'waku/router/server';
import { ProfileCard } from '#features/accounts/profile-card.tsx';
import { LogoutButton } from '#features/auth/logout-button.tsx';
import { CourseTypeName } from '#features/courses/course-type-name.tsx';
import { Texts } from '#i18n/provider.tsx';
import { requireUser } from '#page-request.ts';
import { paths } from '#paths.ts';
import { Wordmark } from '#ui/wordmark.tsx';

export default async function HomePage() {
  const { ctx, texts } = await requireUser();
  const { viewer } = ctx;
  if (viewer.selectedCourse === null) {
    redirect(paths.firstCourse);
  }
  const { t } = useLingui();
  const { firstName, selectedCourse } = viewer;
  const soon = [
    { title: t`Cohorts`, description: t`Bring a group together, from the first day to the last.` },
    { title: t`Workshops`, description: t`Teach a single session, live.` },
  ];
  return (
    <Texts {...texts('common', 'auth')}>
      <div className="mx-auto max-w-4xl px-4 sm:px-8">
        <title>{t`Home · Lectern`}</title>
        <header className="flex flex-wrap items-center justify-between gap-x-4 py-4">
          <Wordmark />
          <LogoutButton />
        </header>
        <main className="grid gap-8 py-8">
          <div>
            <h1>
              <Trans>Welcome, {firstName}</Trans>
            </h1>
            <p className="mt-2 text-muted">
              {selectedCourse.name} · <CourseTypeName type={selectedCourse.courseType} />
            </p>
          </div>
          <ProfileCard viewer={viewer} />
          <ul className="grid gap-4 sm:grid-cols-2">
            {soon.map(({ title, description }) => (
              <li key={title} className="card text-muted">
                <div className="flex flex-wrap items-baseline justify-between gap-2">
                  <h2>{title}</h2>
                  <span className="rounded-control border border-line px-2 text-sm">
                    <Trans>Coming soon</Trans>
                  </span>
                </div>
                <p className="mt-2">{description}</p>
              </li>
            ))}
          </ul>
        </main>
      </div>
    </Texts>
  );
}

export const getConfig = async () => ({ render: 'dynamic' }) as const;
