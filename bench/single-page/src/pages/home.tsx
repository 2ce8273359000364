import { useTranslation } from 'react-i18next';
import { Avatar } from '../avatar.tsx';
import { useAccount, useLogOut, useSelectedCourse } from '../hooks.ts';

const soon = ['cohorts', 'workshops'];

export function HomePage() {
  const { t } = useTranslation();
  const account = useAccount();
  const course = useSelectedCourse();
  const logOut = useLogOut();
  return (
    <>
      <title>{`${t('home')} · Lectern`}</title>
      <div className="page-head">
        <div className="min-w-0">
          <h1>{t('welcome', { name: account.first_name })}</h1>
          <p className="mt-2 text-muted">
            {course.name} · {t(`type.${course.course_type}`)}
          </p>
        </div>
        <button type="button" className="button button-small" onClick={() => logOut.mutate()}>
          {logOut.isPending ? t('loggingOut') : t('logOut')}
        </button>
      </div>
      <section className="card" aria-labelledby="profile">
        <h2 id="profile">{t('profile')}</h2>
        <div className="mt-4 flex items-center gap-4">
          <Avatar account={account} />
          <div className="min-w-0">
            <p className="font-semibold">
              {account.first_name} {account.last_name}
            </p>
            <p className="text-muted">{account.email}</p>
          </div>
        </div>
      </section>
      <section aria-labelledby="quick" className="grid gap-4">
        <h2 id="quick">{t('quick')}</h2>
        <ul className="grid gap-4 sm:grid-cols-2">
          {soon.map((name) => (
            <li key={name} className="grid">
              <button type="button" disabled className="card quick">
                <span className={`icon icon-${name}`} />
                <span className="font-serif text-xl font-semibold text-ink">{t(name)}</span>
                <span>{t(`${name}About`)}</span>
                <span className="badge">{t('soon')}</span>
              </button>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}
