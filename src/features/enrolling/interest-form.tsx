'use client';

import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ApiForm } from '#client/api-form.tsx';
import { checkBySchema } from '#client/check-by-schema.ts';
import type { Locale } from '#db/values.ts';
import type { FormMessages } from '#i18n/validation.ts';
import { SubmitButton } from '#ui/form.tsx';
import { enrollingPaths } from './enrolling-paths.ts';
import { Consent, Honeypot, Sent, type SentTexts, untilBelieved } from './request-parts.tsx';

type InterestFormProps = {
  slug: string;
  /** That of the page, which may be a minute old. */
  stamp: string;
  locale: Locale;
  messages: FormMessages;
  texts: SentTexts & { ask: string; pending: string };
  lead: ReactNode;
  /** For browsers without scripts. */
  needsScripts: ReactNode;
  fields: ReactNode;
  consent: ReactNode;
  foot: ReactNode;
};

const checkTyped = checkBySchema(() =>
  import('./schema.ts').then(({ InterestInput }) => InterestInput),
);

/** Asks for one email when enrollment opens. */
export function InterestForm(props: InterestFormProps) {
  const { slug, stamp, locale, messages, texts } = props;
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [typed, setTyped] = useState<Record<string, string>>({});
  const shownRef = useRef(0);
  useEffect(() => {
    shownRef.current = Date.now();
  }, []);

  async function check({ email, consent: agreed }: Record<string, string>) {
    const errors = await checkTyped({ email });
    if (agreed === undefined) {
      errors['consent'] = 'interest_consent_required';
    }
    if (Object.keys(errors).length === 0) {
      await untilBelieved(shownRef.current);
    }
    return errors;
  }

  if (sentTo !== null) {
    return <Sent address={sentTo} texts={texts} onBack={() => setSentTo(null)} />;
  }
  return (
    <>
      {props.lead}
      <ApiForm
        path={enrollingPaths.interests(slug)}
        messages={messages}
        check={check}
        refusals={['enrollment_is_open', 'form_stale']}
        initialValues={typed}
        toInput={({ email = '', website = '', consent: agreed }) => ({
          email,
          website,
          consent: agreed !== undefined,
          language: locale,
          stamp,
        })}
        onDone={({ email }, values) => {
          setTyped(values);
          setSentTo(email);
        }}
      >
        {props.needsScripts}
        {props.fields}
        <Honeypot />
        <Consent>{props.consent}</Consent>
        <SubmitButton
          label={texts.ask}
          pendingLabel={texts.pending}
          className="button button-primary button-large w-full"
        />
        {props.foot}
      </ApiForm>
    </>
  );
}
