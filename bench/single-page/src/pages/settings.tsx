import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from 'sonner';
import { type Account, type Course, type Language, request, type Session } from '../api.ts';
import { Avatar } from '../avatar.tsx';
import { browserName } from '../browser-name.ts';
import { CourseFields, Field, Form, Submit } from '../form.tsx';
import {
  useAccount,
  useChangeAccount,
  useChangeCourse,
  useDeleteCourse,
  useEndSession,
  useSelectedCourse,
  useSessions,
} from '../hooks.ts';
import { switchLanguage } from '../i18n.ts';
import { Modal } from '../modal.tsx';
import { setTheme, storedTheme } from '../theme.ts';

const languages = [
  { language: 'en', name: 'English' },
  { language: 'fr', name: 'Français' },
] as const;
const themes = [
  { theme: null, name: 'theme.system' },
  { theme: 'light', name: 'theme.light' },
  { theme: 'dark', name: 'theme.dark' },
] as const;

export function SettingsPage() {
  const { t } = useTranslation();
  const account = useAccount();
  const course = useSelectedCourse();
  return (
    <>
      <title>{`${t('settings')} · Lectern`}</title>
      <h1>{t('settings')}</h1>
      <section aria-labelledby="account-settings" className="grid gap-4">
        <h2 id="account-settings">{t('account')}</h2>
        <ProfileSettings account={account} />
        <EmailSettings account={account} />
        <LanguageSettings account={account} />
        <AppearanceSettings />
        <SessionSettings />
        <DataSettings account={account} />
        <DeleteAccount account={account} />
      </section>
      <section aria-labelledby="course-settings" className="grid gap-4">
        <h2 id="course-settings">{t('course.heading', { name: course.name })}</h2>
        <CourseSettings key={course.id} course={course} />
        <DeleteCourse course={course} />
      </section>
    </>
  );
}

type SettingProps = { id: string; title: string; about: string; children: ReactNode };

function Setting({ id, title, about, children }: SettingProps) {
  return (
    <section id={id} aria-labelledby={`${id}-heading`} className="card setting">
      <div>
        <h3 id={`${id}-heading`}>{title}</h3>
        <p className="mt-1 text-sm text-muted">{about}</p>
      </div>
      <div className="grid content-start gap-4">{children}</div>
    </section>
  );
}

function ProfileSettings({ account }: { account: Account }) {
  const { t } = useTranslation();
  const change = useChangeAccount(account.id, t('names.saved'));
  return (
    <Setting id="profile" title={t('names.title')} about={t('names.about')}>
      <div className="flex items-center gap-4">
        <Avatar account={account} />
        <p className="text-sm text-muted">
          {t(account.avatar ? 'names.picture' : 'names.initials')}
        </p>
      </div>
      <Form
        schema={() => import('../schemas.ts').then(({ namesSchema }) => namesSchema)}
        submit={change.mutateAsync}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            id="first_name"
            name="first_name"
            label={t('names.first')}
            autoComplete="given-name"
            defaultValue={account.first_name}
          />
          <Field
            id="last_name"
            name="last_name"
            label={t('names.last')}
            autoComplete="family-name"
            defaultValue={account.last_name}
          />
        </div>
        <div>
          <Submit label={t('save')} pending={t('saving')} />
        </div>
      </Form>
    </Setting>
  );
}

function EmailSettings({ account }: { account: Account }) {
  const { t } = useTranslation();
  const change = useChangeAccount(account.id, t('email.sent'));
  const callOff = useChangeAccount(account.id, t('email.stays'));
  return (
    <Setting id="email" title={t('email.title')} about={t('email.about')}>
      <p>
        <strong>{account.email}</strong>
      </p>
      {account.pending_email && (
        <div className="notice grid gap-3">
          <p>{t('email.pending', { email: account.pending_email })}</p>
          <button
            type="button"
            className="button button-small"
            onClick={() => callOff.mutate({ email: account.email })}
          >
            {t('email.callOff')}
          </button>
        </div>
      )}
      <Form
        key={account.pending_email}
        schema={() => import('../schemas.ts').then(({ emailSchema }) => emailSchema)}
        submit={change.mutateAsync}
      >
        <Field id="new-email" name="email" type="email" label={t('email.new')} />
        <div>
          <Submit label={t('email.send')} pending={t('email.sending')} />
        </div>
      </Form>
    </Setting>
  );
}

function LanguageSettings({ account }: { account: Account }) {
  const { t, i18n } = useTranslation();
  const change = useChangeAccount(account.id);
  async function choose(language: Language): Promise<void> {
    await switchLanguage(language);
    change.mutate({ language });
  }
  return (
    <Setting id="language" title={t('language.title')} about={t('language.about')}>
      <fieldset aria-label={t('language.title')} className="segments">
        {languages.map(({ language, name }) => (
          <button
            key={language}
            type="button"
            lang={language}
            aria-pressed={language === i18n.language}
            onClick={() => void choose(language)}
          >
            {name}
          </button>
        ))}
      </fieldset>
    </Setting>
  );
}

function AppearanceSettings() {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState(storedTheme);
  return (
    <Setting id="appearance" title={t('theme.title')} about={t('theme.about')}>
      <fieldset aria-label={t('theme.title')} className="segments">
        {themes.map(({ theme, name }) => (
          <button
            key={name}
            type="button"
            aria-pressed={theme === chosen}
            onClick={() => {
              setChosen(theme);
              setTheme(theme);
            }}
          >
            {t(name)}
          </button>
        ))}
      </fieldset>
    </Setting>
  );
}

function SessionSettings() {
  const { t } = useTranslation();
  const sessions = useSessions();
  const others = sessions.filter(({ is_current: isCurrent }) => !isCurrent).length;
  return (
    <Setting id="sessions" title={t('sessions.title')} about={t('sessions.about')}>
      <ul className="rows">
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
      {others > 0 ? (
        <EndSession id="others" said={t('sessions.othersEnded')}>
          {t('sessions.endOthers', { count: others })}
        </EndSession>
      ) : (
        <p className="text-sm text-muted">{t('sessions.noOthers')}</p>
      )}
    </Setting>
  );
}

function SessionRow({ session }: { session: Session }) {
  const { t, i18n } = useTranslation();
  const minutes = Math.round((Date.parse(session.created_at) - Date.now()) / 60_000);
  const format = new Intl.RelativeTimeFormat(i18n.language, { numeric: 'auto' });
  const ago =
    minutes > -60
      ? format.format(minutes, 'minute')
      : minutes > -1440
        ? format.format(Math.round(minutes / 60), 'hour')
        : format.format(Math.round(minutes / 1440), 'day');
  return (
    <li>
      <span className="icon icon-device" />
      <div className="min-w-0 flex-1">
        <p className="font-semibold">{browserName(session.user_agent) ?? t('sessions.unknown')}</p>
        <p className="text-sm text-muted">{t('sessions.since', { ago })}</p>
      </div>
      {session.is_current ? (
        <p className="text-sm font-medium text-accent">{t('sessions.this')}</p>
      ) : (
        <EndSession id={session.id} said={t('sessions.ended')}>
          {t('logOut')}
        </EndSession>
      )}
    </li>
  );
}

type EndSessionProps = { id: string; said: string; children: ReactNode };

function EndSession({ id, said, children }: EndSessionProps) {
  const { t } = useTranslation();
  const end = useEndSession(id, said);
  return (
    <button type="button" className="button button-small" onClick={() => end.mutate()}>
      {end.isPending ? t('loggingOut') : children}
    </button>
  );
}

function DataSettings({ account }: { account: Account }) {
  const { t } = useTranslation();
  const download = useMutation({
    mutationFn: () => request<object>('GET', `/api/accounts/${account.id}/export/`),
    onSuccess: (everything) => {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([JSON.stringify(everything, null, 2)]));
      link.download = 'lectern.json';
      link.click();
      URL.revokeObjectURL(link.href);
      toast(t('data.done'));
    },
  });
  return (
    <Setting id="data" title={t('data.title')} about={t('data.about')}>
      <div>
        <button type="button" className="button" onClick={() => download.mutate()}>
          <span className="icon icon-download" />
          {download.isPending ? t('data.collecting') : t('data.download')}
        </button>
      </div>
    </Setting>
  );
}

function DeleteAccount({ account }: { account: Account }) {
  const { t } = useTranslation();
  const remove = useMutation({
    mutationFn: () => request<null>('DELETE', `/api/accounts/${account.id}/`),
    onSuccess: () => window.location.assign('/login'),
  });
  return (
    <Setting id="delete" title={t('delete.title')} about={t('delete.about')}>
      <DeleteDialog
        title={t('delete.title')}
        about={t('delete.gone')}
        question={t('delete.question', { email: account.email })}
        expected={account.email}
        remove={remove.mutateAsync}
      />
    </Setting>
  );
}

function CourseSettings({ course }: { course: Course }) {
  const { t } = useTranslation();
  const change = useChangeCourse(course.id);
  return (
    <Setting id="course" title={t('course.nameAndType')} about={t('course.about')}>
      <Form
        schema={() => import('../schemas.ts').then(({ courseSchema }) => courseSchema)}
        submit={change.mutateAsync}
      >
        <CourseFields id="selected-course" course={course} />
        <div>
          <Submit label={t('save')} pending={t('saving')} />
        </div>
      </Form>
    </Setting>
  );
}

function DeleteCourse({ course }: { course: Course }) {
  const { t } = useTranslation();
  const remove = useDeleteCourse(course.id);
  return (
    <Setting id="delete-course" title={t('course.delete')} about={t('course.deleteAbout')}>
      <DeleteDialog
        title={t('course.delete')}
        about={t('course.gone', { name: course.name })}
        question={t('course.question', { name: course.name })}
        expected={course.name}
        remove={remove.mutateAsync}
      />
    </Setting>
  );
}

type DeleteDialogProps = {
  title: string;
  about: string;
  question: string;
  /** The text to type. */
  expected: string;
  remove: () => Promise<unknown>;
};

function DeleteDialog({ title, about, question, expected, remove }: DeleteDialogProps) {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const [isPending, setIsPending] = useState(false);

  async function confirm(): Promise<void> {
    setIsPending(true);
    // The failure dialog reports errors.
    await remove().then(
      () => setIsOpen(false),
      () => {},
    );
    setIsPending(false);
  }

  return (
    <>
      <div>
        <button type="button" className="button button-danger" onClick={() => setIsOpen(true)}>
          <span className="icon icon-trash" />
          {title}
        </button>
      </div>
      <Modal isOpen={isOpen} onOpenChange={setIsOpen} title={title}>
        <p>{about}</p>
        <label className="label">
          {question}
          <input
            className="input"
            autoComplete="off"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        </label>
        <div className="actions">
          <button
            type="button"
            className="button button-danger"
            disabled={isPending || typed.trim() !== expected}
            onClick={() => void confirm()}
          >
            {isPending ? t('deleting') : title}
          </button>
        </div>
      </Modal>
    </>
  );
}
