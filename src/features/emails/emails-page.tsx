import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { isOfOnline, mailKindsOf, type ParticipantMailKind } from '#email/kinds.ts';
import { wordsAbout } from '#email/letters/letter-text.ts';
import { letterTexts } from '#email/participant-letter.ts';
import { audienceWords } from '#features/messages/audience-words.ts';
import { AnnounceChanges } from '#features/messages/message-sections.tsx';
import { errors as peopleErrors } from '#features/places/vocabulary.ts';
import type { OwnCohort } from '#features/planning/own-cohorts.ts';
import { SettingsButton } from '#features/settings/settings-button.tsx';
import { momentIn } from '#lib/time/words.ts';
import { cityOf } from '#lib/time/zones.ts';
import { emailPaths, paths } from '#paths.ts';
import { countedMails } from './find-emails.ts';
import type { CohortEmails, EmailSwitchesPatch } from './schema.ts';

type EmailsPageProps = { cohort: OwnCohort; emails: CohortEmails };

/** What a cohort emails: what is due, what went, what came back, and what goes out by itself. */
export function EmailsPage({ cohort, emails }: EmailsPageProps) {
  const { i18n, t } = useLingui();
  const { sent, late, returned } = emails;
  const city = <span>{cityOf(cohort.time_zone, i18n.locale === 'fr' ? 'fr' : 'en')}</span>;
  const moment = (at: string) => (
    <time dateTime={at}>{momentIn(cohort.time_zone, new Date(at), i18n.locale)}</time>
  );
  const isRun = cohort.kind === 'open';
  const numberOf = (count: number) =>
    isRun && count >= countedMails ? (
      <Plural value={count} one="# email or more" other="# emails or more" />
    ) : (
      <Plural value={count} one="# email" other="# emails" />
    );
  return (
    <div className="emails">
      {emails.is_paused && (
        <p className="alert">
          {i18n._(peopleErrors.invitations_paused.text)}{' '}
          <Trans>Until then, emails about changes go out without your notes.</Trans>
        </p>
      )}
      <AnnounceChanges cohort={cohort} changes={emails.unannounced} mark={emails.schedule_mark} />
      <section aria-labelledby="write">
        <h2 id="write">{t`Write`}</h2>
        <p className="hint mb-4">
          <Trans>Each person gets their own email and can’t see anyone else’s address.</Trans>
        </p>
        <a className="button" href={emailPaths.message(cohort.id)}>{t`Write to the group`}</a>
      </section>
      <section aria-labelledby="due">
        <h2 id="due">{t`Scheduled`}</h2>
        <Scheduled cohort={cohort} emails={emails} moment={moment} />
        <details id="all-emails" className="mt-4">
          <summary className="link">{t`All emails that Lectern sends`}</summary>
          <ul className="events mt-4">
            {mailKindsOf(cohort.kind)
              .filter((kind) => cohort.payment_mode !== 'own' || !isOfOnline(kind))
              .map((kind) => ({ kind, ...wordsAbout(letterTexts[kind], cohort.kind) }))
              .map(({ kind, name, when }) => (
                <li key={kind}>
                  <span>
                    <a href={emailPaths.preview(cohort.id, kind)}>{i18n._(name)}</a>{' '}
                    <span className="text-muted">{i18n._(when)}</span>
                  </span>
                </li>
              ))}
          </ul>
        </details>
      </section>
      <Part id="late" title={t`Not sent, because it was too late`}>
        {late.map(({ kind, count, last_at: at }) => (
          <KindLine
            key={kind}
            name={nameOf(cohort, kind)}
            count={numberOf(count)}
            when={moment(at)}
          />
        ))}
      </Part>
      <Part id="returned" title={t`Bounced`}>
        {returned.map(({ kind, email, name, enrollment_id, reason, at }) => (
          <li key={`${kind} ${email} ${at}`} data-sentry-mask>
            <span>
              {enrollment_id === null || name === null ? (
                <strong>{email}</strong>
              ) : (
                <a className="link" href={paths.participant(cohort.id, enrollment_id)}>
                  <bdi>{name}</bdi>
                </a>
              )}{' '}
              <span className="text-muted">
                {i18n._(nameOf(cohort, kind))} · {i18n._(reasonWords[reason])}
              </span>
            </span>
            {moment(at)}
          </li>
        ))}
      </Part>
      <Part id="messages" title={t`What you wrote to the group`}>
        {emails.messages.map((message) => (
          <MessageLine key={message.id} message={message} moment={moment} />
        ))}
      </Part>
      <Part
        id="sent"
        title={t`Sent in the last 90 days`}
        none={isRun ? t`This course has sent no email yet.` : t`This cohort has sent no email yet.`}
      >
        {sent.map(({ kind, count, last_at: at }) => {
          const last = <>{moment(at)}</>;
          const when = (
            <span className="text-muted">
              <Trans>last sent {last}</Trans>
            </span>
          );
          return (
            <KindLine key={kind} name={nameOf(cohort, kind)} count={numberOf(count)} when={when} />
          );
        })}
      </Part>
      <p className="hint">
        <Trans>All times are {city} time.</Trans>
      </p>
    </div>
  );
}

/** Why an email has not arrived. */
const reasonWords: Record<CohortEmails['returned'][number]['reason'], MessageDescriptor> = {
  bounced: msg`Bounced: the address doesn’t take it`,
  complained: msg`Marked as spam`,
  suppressed: msg`Not sent: an earlier email to this address bounced`,
  unwelcome: msg`Not sent: they marked an earlier email as spam`,
  failed: msg`Given up after several tries`,
};

type Moment = (at: string) => ReactNode;

/** What instructors call an email of a cohort. */
function nameOf({ kind }: OwnCohort, mail: ParticipantMailKind): MessageDescriptor {
  return wordsAbout(letterTexts[mail], kind).name;
}

type KindLineProps = { name: MessageDescriptor; count: ReactNode; when: ReactNode };

function KindLine({ name, count, when }: KindLineProps) {
  const { i18n } = useLingui();
  return (
    <li>
      <span>
        <strong>{i18n._(name)}</strong> <span className="text-muted">{count}</span>
      </span>
      {when}
    </li>
  );
}

type MessageLineProps = { message: CohortEmails['messages'][number]; moment: Moment };

function MessageLine({ message, moment }: MessageLineProps) {
  const { i18n } = useLingui();
  const { subject, text, changes, recipients, left_out: leftOut } = message;
  const title =
    subject === null ? (
      <Plural
        value={changes ?? 0}
        one="# change of the live sessions"
        other="# changes of the live sessions"
      />
    ) : (
      <bdi>{subject}</bdi>
    );
  return (
    <li data-sentry-mask>
      <span>
        {text === null ? (
          <strong>{title}</strong>
        ) : (
          <details>
            <summary>
              <strong>{title}</strong>
            </summary>
            <p className="mt-2 whitespace-pre-wrap" dir="auto">
              {text}
            </p>
          </details>
        )}{' '}
        <span className="text-muted">
          <Plural value={recipients} one="to # person" other="to # people" />
          {message.audience !== 'enrolled' && ` (${i18n._(audienceWords[message.audience])})`}
          {leftOut > 0 && (
            <>
              {' · '}
              <Plural value={leftOut} one="# left out" other="# left out" />
            </>
          )}
        </span>
      </span>
      {moment(message.created_at)}
    </li>
  );
}

/** What goes out by itself, each kind once, however many sessions it is sent before. */
function Scheduled({ cohort, emails, moment }: EmailsPageProps & { moment: Moment }) {
  const { i18n, t } = useLingui();
  const switched: { kind: ParticipantMailKind; name: keyof EmailSwitchesPatch; when: string }[] = [
    {
      kind: 'starts_soon',
      name: 'start_reminder',
      when: t`Three days before the first day, at 9 AM`,
    },
    {
      kind: 'meeting_reminder',
      name: 'day_before_reminder',
      when: t`The day before each live session`,
    },
    {
      kind: 'meeting_reminder',
      name: 'hour_before_reminder',
      when: t`An hour before each live session`,
    },
    {
      kind: 'invitation_reminder',
      name: 'invitation_reminder',
      when: t`Once, three days before an unanswered invitation ends`,
    },
    {
      kind: 'lessons_released',
      name: 'announces_releases',
      when: t`When a section opens for someone; many go out one after another`,
    },
    {
      kind: 'nudge',
      name: 'sends_nudges',
      when: t`7 days after someone was last here, and again after 21`,
    },
  ];
  // A cohort without lessons that open later has nothing to say of them.
  const shown = switched.filter(
    ({ kind }) =>
      mailKindsOf(cohort.kind).includes(kind) &&
      (kind !== 'lessons_released' || cohort.kind === 'open' || emails.has_releases),
  );
  const byKind = Map.groupBy(emails.due, ({ kind }) => kind);
  const others = [...byKind.keys()].filter((due) => shown.every(({ kind }) => kind !== due));
  // Both reminders of a session are of one kind: what is due is said once, and counted if there
  // is only one of them.
  const { day_before_reminder: isDayOn, hour_before_reminder: isHourOn } = emails;
  const line = (
    id: string,
    kind: ParticipantMailKind,
    when: string | null,
    due: CohortEmails['due'],
    control: ReactNode,
  ) => {
    const [next] = due;
    const sessions = isDayOn && isHourOn ? 0 : due.filter(({ session }) => session !== null).length;
    const name = i18n._(nameOf(cohort, kind));
    const at = next && <>{moment(next.next_at)}</>;
    return (
      <li key={id} className="scheduled">
        <span>
          <strong id={`scheduled-${id}`}>
            {sessions > 1 ? (
              <>
                {name}{' '}
                <Plural value={sessions} one="before # session" other="before each of # sessions" />
              </>
            ) : (
              name
            )}
          </strong>{' '}
          <span className="text-muted">
            <span id={`when-${id}`}>{when}</span>
            {next && (
              <>
                {when && ' · '}
                <Trans>Next: {at}</Trans>{' '}
                <Plural value={next.count} one="to # person" other="to # people" />
              </>
            )}
          </span>
        </span>
        <a
          id={`preview-${id}`}
          className="button button-quiet button-small"
          href={emailPaths.preview(cohort.id, kind)}
          aria-labelledby={`preview-${id} scheduled-${id}`}
        >
          <Trans>Preview email</Trans>
        </a>
        {control}
      </li>
    );
  };
  return (
    <ul className="events">
      {shown.map(({ kind, name, when }) => {
        const isOn = emails[name];
        const isSaid = name === 'hour_before_reminder' && isDayOn;
        return line(
          name,
          kind,
          when,
          isOn && !isSaid ? (byKind.get(kind) ?? []) : [],
          <SettingsButton
            path={emailPaths.ofCohort(cohort.id)}
            call={{ method: 'PATCH', input: { [name]: !isOn } }}
            pendingLabel={t`Saving…`}
            // Two of them are called the same.
            labelledBy={`scheduled-${name} when-${name}`}
            isOn={isOn}
            className="switch-button"
            done={isOn ? t`Reminders switched off.` : t`Reminders switched on.`}
          >
            {isOn ? <Trans>On</Trans> : <Trans>Off</Trans>}
          </SettingsButton>,
        );
      })}
      {others.map((kind) =>
        line(
          kind,
          kind,
          null,
          byKind.get(kind) ?? [],
          <span className="hint">
            <Trans>Always sent</Trans>
          </span>,
        ),
      )}
    </ul>
  );
}

type PartProps = {
  id: string;
  title: string;
  /** What is said in the place of an empty list, which otherwise has no heading either. */
  none?: string;
  children: ReactNode[];
};

function Part({ id, title, none, children }: PartProps) {
  const isEmpty = children.length === 0;
  return isEmpty && none === undefined ? null : (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {isEmpty ? <p className="hint">{none}</p> : <ul className="events timed">{children}</ul>}
    </section>
  );
}

/** What a cohort emails next, beside its state. */
export function NextEmails({ cohort, emails }: { cohort: OwnCohort; emails: CohortEmails['due'] }) {
  const { i18n, t } = useLingui();
  return (
    <section aria-labelledby="next-emails" className="grid gap-3">
      <h3 id="next-emails">{t`Next emails`}</h3>
      <ul className="events">
        {emails.map(({ kind, session, count, next_at: at }) => (
          <li key={`${kind} ${session} ${at}`}>
            <span className="grid text-sm">
              <a className="font-semibold" href={emailPaths.page(cohort.id)}>
                {i18n._(nameOf(cohort, kind))}
              </a>
              <span className="text-muted">
                {session !== null && (
                  <>
                    <bdi>{session}</bdi>
                    {' · '}
                  </>
                )}
                <Plural value={count} one="to # person" other="to # people" />
                {' · '}
                <time dateTime={at}>{momentIn(cohort.time_zone, new Date(at), i18n.locale)}</time>
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
