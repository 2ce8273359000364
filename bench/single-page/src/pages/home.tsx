import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { hueOf } from '../../../../src/ui/hue.ts';
import { Avatar } from '../avatar.tsx';
import { useAccount, useLogOut, useSelectedCourse } from '../hooks.ts';

const soon = ['cohorts', 'workshops'];

export function HomePage() {
  const { t } = useTranslation();
  const account = useAccount();
  const logOut = useLogOut();
  return (
    <>
      <title>{`${t('home')} · Lectern`}</title>
      <div className="page-head">
        <h1>{t('welcome', { name: account.first_name })}</h1>
      </div>
      <div className="home">
        <Hero />
        <section aria-labelledby="quick">
          <div className="section-head">
            <h2 id="quick">{t('quick')}</h2>
          </div>
          <ul className="grid gap-3">
            {soon.map((name) => (
              <li key={name} className="grid">
                <button type="button" disabled className="soon">
                  <span className={`icon icon-${name}`} />
                  <span>{t(name)}</span>
                  <span>{t(`${name}About`)}</span>
                  <span>{t('soon')}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
        <section className="profile" aria-label={t('profile')}>
          <Avatar account={account} className="avatar avatar-large" />
          <div>
            <p>
              {account.first_name} {account.last_name}
            </p>
            <p>{account.email}</p>
          </div>
          <button type="button" className="button button-quiet" onClick={() => logOut.mutate()}>
            {logOut.isPending ? t('loggingOut') : t('logOut')}
          </button>
        </section>
      </div>
    </>
  );
}

function Hero() {
  const { t } = useTranslation();
  const { id, name, course_type: type } = useSelectedCourse();
  const isCohort = type === 'cohort';
  return (
    <section className="hero" aria-labelledby="course-name">
      <div className="cover" data-hue={hueOf(id)}>
        <h2 id="course-name">{name}</h2>
        <p>{t(`hero.${type}Course`)}</p>
      </div>
      <div className="hero-body">
        <h3>{t('hero.ready')}</h3>
        <p>{t(`hero.${type}`)}</p>
        <Link className="button button-primary" to={isCohort ? '/cohorts' : '/settings'}>
          {t(isCohort ? 'hero.openCohorts' : 'hero.openSettings')}
        </Link>
      </div>
    </section>
  );
}
