'use client';

import { type ReactNode, useContext, useEffect, useRef } from 'react';
import type { FormErrors } from '#client/api-form.tsx';
import { EmailAddress } from '#ui/email-address.tsx';
import { FieldMessage, FormContext, SubmitButton } from '#ui/form.tsx';

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
  const { errorOf, sentValue } = useContext(FormContext);
  const error = errorOf('consent');
  return (
    <>
      {/* For programs: people neither see nor reach it. */}
      <div className="sr-only" aria-hidden="true">
        <input name="website" tabIndex={-1} autoComplete="off" />
      </div>
      <div>
        <div className="check">
          <input
            id="consent"
            type="checkbox"
            name="consent"
            required
            aria-invalid={error !== undefined}
            aria-describedby={error && 'consent-error'}
            defaultChecked={sentValue('consent') !== undefined}
          />
          <label htmlFor="consent">{consent}</label>
        </div>
        <FieldMessage id="consent-error" error={error} />
      </div>
      <SubmitButton
        label={label}
        pendingLabel={pendingLabel}
        className="button button-primary button-large w-full"
      />
    </>
  );
}

/** What is said once a form was sent. */
export type EmailSentTexts = {
  sentTitle: string;
  /** With `#` in the place of the address. */
  sent: string;
  sentNote: string;
  spam: string;
  back: string;
  resend: string;
  pending: string;
  resent: string;
};

type EmailSentProps = {
  texts: EmailSentTexts;
  address: string;
  /** Sends the same form again. */
  resend: ReactNode;
  onBack: () => void;
};

/** Says the same for every address: only the email says where its reader stands. */
export function EmailSent({ address, texts, resend, onBack }: EmailSentProps) {
  const headingRef = useRef<HTMLHeadingElement>(null);
  const [before, after] = texts.sent.split('#');
  useEffect(() => headingRef.current?.focus(), []);
  return (
    <div className="public-sent">
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
        {resend}
        <button type="button" className="button button-quiet" onClick={onBack}>
          {texts.back}
        </button>
      </div>
    </div>
  );
}
