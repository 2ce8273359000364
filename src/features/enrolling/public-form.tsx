'use client';

import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react';
import { ActionButton } from '#client/action-button.tsx';
import type { FormErrors } from '#client/api-form.tsx';
import type { ApiPath } from '#client/api-routes.ts';
import { AgreeBox } from '#ui/agree-box.tsx';
import { EmailAddress } from '#ui/email-address.tsx';
import { SubmitButton } from '#ui/form.tsx';
import { showToast } from '#ui/toast.tsx';
import type { sentTexts } from './sent-texts.ts';

/** A form that is sent sooner looks like one that a program has filled in. */
const shortestFormMs = 2_500;

/**
 * Adds what is missing without consent. If nothing is, it waits until the form is old enough:
 * people whose browser fills it in for them are as quick as a program.
 */
export async function checkConsent(
  errors: FormErrors,
  consent: string | undefined,
  { code, since }: { code: string; since: number },
): Promise<FormErrors> {
  if (consent === undefined) {
    return { ...errors, consent: code };
  }
  if (Object.keys(errors).length === 0) {
    await new Promise((resolve) => setTimeout(resolve, since + shortestFormMs - Date.now()));
  }
  return errors;
}

type FormEndProps = { consent: ReactNode; label: string; pendingLabel: string };

/** The box to check without which nothing is sent, and the button. */
export function FormEnd({ consent, label, pendingLabel }: FormEndProps) {
  return (
    <>
      {/* For programs: people neither see nor reach it. */}
      <div className="sr-only" aria-hidden="true">
        <input name="website" tabIndex={-1} autoComplete="off" />
      </div>
      <AgreeBox name="consent" label={consent} />
      <SubmitButton
        label={label}
        pendingLabel={pendingLabel}
        className="button button-primary button-large w-full"
      />
    </>
  );
}

/** What is said once a form was sent. */
export type EmailSentTexts = ReturnType<typeof sentTexts> & { sentNote: string };

/** With the request that sends the same form again. */
type EmailSentProps<Path extends ApiPath> = {
  texts: EmailSentTexts;
  address: string;
  onBack: () => void;
} & Pick<ComponentProps<typeof ActionButton<Path>>, 'path' | 'call'>;

/** Says the same for every address: only the email says where its reader stands. */
export function EmailSent<Path extends ApiPath>(props: EmailSentProps<Path>) {
  const { address, texts, onBack, ...request } = props;
  const headingRef = useRef<HTMLHeadingElement>(null);
  const [before, after] = texts.sent.split('#');
  useEffect(() => headingRef.current?.focus(), []);
  return (
    <div className="public-sent grid gap-3 wrap-anywhere">
      <h3 ref={headingRef} tabIndex={-1}>
        {texts.sentTitle}
      </h3>
      <p>
        {before}
        <strong>
          <EmailAddress>{address}</EmailAddress>
        </strong>
        {after}
      </p>
      <p>{texts.sentNote}</p>
      <p className="hint">{texts.spam}</p>
      <div className="actions mt-4">
        <ActionButton<Path>
          {...request}
          pendingLabel={texts.pending}
          onDone={() => showToast(texts.resent)}
        >
          {texts.resend}
        </ActionButton>
        <button type="button" className="button button-quiet" onClick={onBack}>
          {texts.back}
        </button>
      </div>
    </div>
  );
}
