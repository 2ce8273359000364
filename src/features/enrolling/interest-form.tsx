'use client';

import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ApiForm } from '#client/api-form.tsx';
import { checkBySchema } from '#client/check-by-schema.ts';
import type { Locale } from '#db/values.ts';
import type { FormMessages } from '#i18n/validation.ts';
import { checkConsent, EmailSent, type EmailSentTexts, FormEnd } from './public-form.tsx';

type InterestFormProps = {
  slug: string;
  /** That of the page, which may be a minute old. */
  stamp: string;
  locale: Locale;
  messages: FormMessages;
  texts: EmailSentTexts & { ask: string };
  lead: ReactNode;
  consent: ReactNode;
  foot: ReactNode;
  children: ReactNode;
};

const checkFields = checkBySchema(() =>
  import('./schema.ts').then(({ InterestInput }) => InterestInput),
);

/** Asks for one email when enrollment opens. */
export function InterestForm(props: InterestFormProps) {
  const { slug, stamp, locale, messages, texts } = props;
  const [sentTo, setSentTo] = useState<string | null>(null);
  const path = `/api/public/courses/${slug}/interests/` as const;
  const [values, setValues] = useState<Record<string, string>>({});
  const shownRef = useRef(0);
  useEffect(() => {
    shownRef.current = Date.now();
  }, []);

  function toInput({ email = '', website = '', consent }: Record<string, string>) {
    return { email, website, consent: consent !== undefined, language: locale, stamp };
  }

  async function check({ email, consent }: Record<string, string>) {
    const rule = { code: 'interest_consent_required', since: shownRef.current };
    return checkConsent(await checkFields({ email }), consent, rule);
  }

  if (sentTo !== null) {
    return (
      <EmailSent
        address={sentTo}
        texts={texts}
        path={path}
        call={{ input: toInput(values) }}
        onBack={() => setSentTo(null)}
      />
    );
  }
  return (
    <>
      {props.lead}
      <ApiForm
        path={path}
        messages={messages}
        check={check}
        refusals={['enrollment_is_open', 'form_stale']}
        initialValues={values}
        toInput={toInput}
        onDone={({ email }, sentValues) => {
          setValues(sentValues);
          setSentTo(email);
        }}
      >
        {props.children}
        <FormEnd consent={props.consent} label={texts.ask} pendingLabel={texts.pending} />
        {props.foot}
      </ApiForm>
    </>
  );
}
