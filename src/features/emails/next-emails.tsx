import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { letterTexts } from '#email/participant-letter.ts';
import type { OwnCohort } from '#features/planning/find-own-cohort.ts';
import { momentIn } from '#lib/time/words.ts';
import { emailPaths } from '#paths.ts';
import type { CohortEmails } from './schema.ts';

type NextEmailsProps = { cohort: OwnCohort; emails: CohortEmails['due'] };

/** What a cohort emails next, beside its state. */
export function NextEmails({ cohort, emails }: NextEmailsProps) {
  const { i18n } = useLingui();
  return (
    <section aria-labelledby="next-emails" className="grid gap-3">
      <h3 id="next-emails">
        <Trans>Next emails</Trans>
      </h3>
      <ul className="events">
        {emails.map(({ kind, session, count, next_at: at }) => (
          <li key={`${kind} ${session} ${at}`}>
            <span className="grid text-sm">
              <a className="font-semibold" href={emailPaths.page(cohort.id)}>
                {i18n._(letterTexts[kind].name)}
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
