'use client';

import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import { ApiForm } from '#client/api-form.tsx';
import { checkBySchema } from '#client/check-by-schema.ts';
import type { FormMessages } from '#i18n/validation.ts';
import { apiPaths } from '#paths.ts';
import { EmailAddress } from '#ui/email-address.tsx';
import { focusOnDesk } from '#ui/typed-fields.ts';

const kinds = {
  login: {
    path: apiPaths.login,
    check: checkBySchema(() =>
      import('#features/identity/schema.ts').then((schemas) => schemas.LoginInput),
    ),
    errors: {
      show: 'line',
      invalid: 'login_email_invalid',
      fields: { account_not_found: 'email' },
    },
  },
  signUp: {
    path: apiPaths.signUp,
    check: checkBySchema(() =>
      import('#features/identity/schema.ts').then((schemas) => schemas.SignUpInput),
    ),
    errors: { show: 'line', empty: 'all_fields_required' },
  },
} as const;

type Kind = keyof typeof kinds;

/** What the sent email is for. Logging in to an unverified account sends a verification email. */
export type MailPurpose = 'login' | 'verification';

type MailFormProps = {
  kind: Kind;
  messages: FormMessages;
  notes?: Record<string, ReactNode>;
  /** The content above and below the form, removed when it is done. */
  heading: ReactNode;
  footer: ReactNode;
  children: ReactNode;
  /** The step after the email was sent; see CheckYourEmail. */
  sent: Record<MailPurpose, ReactNode>;
};

/** In the state of the step's entry in the browser's history, so that a reload does not lose it. */
type Step = { kind: Kind; email: string; purpose: MailPurpose; at: number };

/** As long as the code is valid; after that, the form is of more use. */
const stepLifetimeMs = 10 * 60 * 1000;

type Mailed = { email: string; refusal: ReactNode; goBack: () => void };

const MailedContext = createContext<Mailed>({ email: '', refusal: null, goBack: () => {} });

/**
 * The form of login and sign-up, and the step after its email was sent. The step has an entry of
 * its own in the browser's history: going back leads to the form, with what was typed.
 */
export function MailForm({ kind, notes, heading, footer, children, sent, ...form }: MailFormProps) {
  const [step, setStep] = useState<Step | null>(null);
  const [refusal, setRefusal] = useState<ReactNode>(null);
  const [typed, setTyped] = useState<Record<string, string>>({});
  const hadStep = useRef(false);

  useEffect(() => {
    function followHistory() {
      const current = stepIn(window.history.state, kind);
      setStep(current);
      setRefusal(null);
      if (current !== null) {
        // After a reload, nothing else is known.
        setTyped((values) => ({ ...values, email: current.email }));
      }
    }
    followHistory();
    window.addEventListener('popstate', followHistory);
    return () => window.removeEventListener('popstate', followHistory);
  }, [kind]);

  useEffect(() => {
    if (hadStep.current && step === null) {
      focusOnDesk(document.querySelector<HTMLElement>('[name="email"]'));
    }
    hadStep.current = step !== null;
  }, [step]);

  function showStep(email: string, purpose: MailPurpose, values: Record<string, string>): void {
    const next: Step = { kind, email, purpose, at: Date.now() };
    window.history.pushState({ mailed: next }, '');
    setStep(next);
    setTyped(values);
  }

  if (step !== null) {
    const mailed = { email: step.email, refusal, goBack: () => window.history.back() };
    // The form is unmounted, so that a new attempt starts with one that was not sent yet.
    return <MailedContext value={mailed}>{sent[step.purpose]}</MailedContext>;
  }
  return (
    <>
      {heading}
      <ApiForm
        {...kinds[kind]}
        {...form}
        errors={{ ...kinds[kind].errors, ...(notes && { notes }) }}
        initialValues={typed}
        onFailure={({ body }, values) => {
          const isSent = body?.code === 'email_not_verified';
          if (isSent) {
            setRefusal(
              <>
                {body.message}
                {notes?.[body.code]}
              </>,
            );
            showStep(values['email']?.trim() ?? '', 'verification', values);
          }
          return isSent;
        }}
        onDone={({ email }, values) =>
          showStep(email, kind === 'login' ? 'login' : 'verification', values)
        }
      >
        {children}
      </ApiForm>
      {footer}
    </>
  );
}

/** The step of this form in a state of the browser's history; null if there is none. */
function stepIn(state: unknown, kind: Kind): Step | null {
  // Only `showStep` writes it.
  const step = (state as { mailed?: Step } | null)?.mailed;
  return step?.kind === kind && Date.now() - step.at < stepLifetimeMs ? step : null;
}

export function useMailed(): Mailed {
  return useContext(MailedContext);
}

export function MailedTo() {
  return (
    <strong className="block text-lg font-semibold text-ink">
      <EmailAddress>{useMailed().email}</EmailAddress>
    </strong>
  );
}
