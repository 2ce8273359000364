import { Trans, useLingui } from '@lingui/react/macro';
import type { Locale } from '#db/values.ts';
import { interestMessages } from '#features/places/form-messages.ts';
import type { PublicCourse } from '#features/public-pages/find-public-pages.ts';
import { NeedsScripts } from '#ui/needs-scripts.tsx';
import { EmailField } from './email-field.tsx';
import { InterestForm } from './interest-form.tsx';
import { sentTexts } from './sent-texts.ts';

type InterestBoxProps = {
  course: PublicCourse;
  /** When the form was made: see `formStamp`. */
  stamp: string;
  /** Who keeps what is typed. */
  operatorName: string;
};

/** What one can do about a course while no cohort of it takes people. */
export function InterestBox({ course, stamp, operatorName }: InterestBoxProps) {
  const { i18n, t } = useLingui();
  const { firstName, lastName } = course.instructor;
  const name = <bdi>{`${firstName} ${lastName}`}</bdi>;
  const operator = <bdi>{operatorName}</bdi>;
  return (
    <section aria-labelledby="tell-me" className="booklet public-box">
      <div className="cover" data-hue={course.hue}>
        <h2 id="tell-me" className="text-[length:inherit] leading-[inherit]">
          <Trans>Tell me when enrollment opens</Trans>
        </h2>
      </div>
      <div>
        <InterestForm
          slug={course.slug}
          stamp={stamp}
          locale={i18n.locale as Locale}
          messages={interestMessages(i18n)}
          texts={{
            ...sentTexts(i18n),
            ask: t`Tell me`,
            sentNote: t`Please confirm your address with that link within 24 hours. Otherwise, we won’t write to you.`,
          }}
          lead={
            <p>
              <Trans>
                One email, as soon as you can enroll. After that, we delete your address.
              </Trans>
            </p>
          }
          consent={<Trans>I agree that my email address is kept for this one email.</Trans>}
          foot={
            <>
              <p className="hint">
                <Trans>
                  {operator} keeps your address on behalf of {name}, who sees only how many people
                  wait.
                </Trans>
              </p>
              <p className="hint">
                <Trans>
                  It’s deleted once that email is sent, after a year, or whenever you like, using
                  the link we email you now.
                </Trans>
              </p>
            </>
          }
        >
          <NeedsScripts />
          <EmailField label={t`Email address`} />
        </InterestForm>
      </div>
    </section>
  );
}
