'use client';

import { useEffect, useId, useRef, useState } from 'react';
import { callApi } from '#client/call-api.ts';
import { problemOf } from '#client/failures.ts';
import { tellTabs } from '#client/tabs.ts';
import type { FormMessages } from '#i18n/validation.ts';
import { withPlainDigits } from '#lib/text.ts';
import { apiPaths } from '#paths.ts';
import { BusyLabels } from '#ui/busy-labels.tsx';
import { focusOnDesk } from '#ui/typed-fields.ts';

const codeLength = 6;

export type CodeTexts = {
  label: string;
  /** What else one can do. */
  hint: string;
  submit: string;
  pending: string;
  incomplete: string;
  /** A sentence that offers to send the email again; the words to press are in `<0>` tags. */
  resend: string;
  resending: string;
  resent: string;
};

type CodeStepProps = {
  email: string;
  texts: CodeTexts;
  messages: FormMessages;
  /** Called with the page to continue to, once the browser is signed in. */
  onDone: (redirectTo: string) => void;
};

/** Signs in with the code in an email, and sends another email on request. */
export function CodeStep({ email, texts, messages, onDone }: CodeStepProps) {
  // A new field for each email: the code in the one before no longer works.
  const [round, setRound] = useState(0);
  return (
    <div>
      <CodeForm key={round} texts={texts} messages={messages} onDone={onDone} />
      <ResendLine
        email={email}
        texts={texts}
        messages={messages}
        onSent={() => setRound(round + 1)}
      />
    </div>
  );
}

type FormState = 'idle' | 'busy' | { problem: string };

/**
 * One field, so that pasting and autofill work; the sixth digit submits it. A wrong code stays,
 * selected, so that typing replaces it.
 */
function CodeForm({ texts, messages, onDone }: Omit<CodeStepProps, 'email'>) {
  const id = useId();
  const inputRef = useRef<HTMLInputElement>(null);
  // Typing the last digit and pressing Enter would send it twice.
  const isSending = useRef(false);
  const [code, setCode] = useState('');
  const [state, setState] = useState<FormState>('idle');
  const problem = typeof state === 'object' ? state.problem : null;

  useEffect(() => focusOnDesk(inputRef.current), []);

  useEffect(() => {
    if (typeof state === 'object') {
      inputRef.current?.focus();
      inputRef.current?.select();
    }
  }, [state]);

  async function send(digits: string): Promise<void> {
    if (isSending.current) {
      return;
    }
    if (digits.length < codeLength) {
      setState({ problem: texts.incomplete });
      return;
    }
    isSending.current = true;
    setState('busy');
    const result = await callApi(apiPaths.confirm, { input: { code: digits } });
    if (result.ok) {
      // Still busy: the form is left.
      tellTabs({ kind: 'confirmed' });
      onDone(result.data.redirect_to);
      return;
    }
    isSending.current = false;
    setState({ problem: problemOf(result, messages) });
  }

  function take(typed: string, event?: Event): void {
    setState('idle');
    // An IME types a text again that is changed during composition.
    if (event instanceof InputEvent && event.isComposing) {
      setCode(typed);
      return;
    }
    // Not a `maxLength`, which would cut a pasted "123 456".
    const digits = withPlainDigits(typed).replace(/\D/g, '').slice(0, codeLength);
    setCode(digits);
    if (digits.length === codeLength) {
      void send(digits);
    }
  }

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send(code);
      }}
    >
      <label htmlFor={id} className="label">
        {texts.label}
      </label>
      <div className="code-input">
        <input
          ref={inputRef}
          id={id}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern={`\\d{${codeLength}}`}
          required
          aria-invalid={problem !== null}
          aria-describedby={`${id}-note`}
          readOnly={state === 'busy'}
          value={code}
          onChange={({ target, nativeEvent }) => take(target.value, nativeEvent)}
          onCompositionEnd={({ currentTarget }) => take(currentTarget.value)}
        />
      </div>
      {/* In place of each other, so that nothing moves. */}
      <div id={`${id}-note`} className="code-note">
        <div role="alert">{problem !== null && <p className="field-error">{problem}</p>}</div>
        {problem === null && <p className="hint">{texts.hint}</p>}
      </div>
      <button
        type="submit"
        className="button button-primary button-large mt-4 w-full"
        aria-disabled={state === 'busy'}
      >
        <BusyLabels isBusy={state === 'busy'} busyLabel={texts.pending}>
          {texts.submit}
        </BusyLabels>
      </button>
    </form>
  );
}

type ResendState = 'idle' | 'pending' | 'sent' | { problem: string };

type ResendLineProps = Omit<CodeStepProps, 'onDone'> & { onSent: () => void };

/** A sentence that offers to send the email again. What becomes of it stands in the same line. */
function ResendLine({ email, texts, messages, onSent }: ResendLineProps) {
  const [state, setState] = useState<ResendState>('idle');
  const [before, words, after] = texts.resend.split(/<\/?0>/);

  async function resend(): Promise<void> {
    if (state === 'pending') {
      return;
    }
    setState('pending');
    const result = await callApi(apiPaths.login, { input: { email } });
    // A login to an unverified account is refused, and sends a new verification email.
    if (result.ok || result.body?.code === 'email_not_verified') {
      setState('sent');
      onSent();
    } else {
      setState({ problem: problemOf(result, messages) });
    }
  }

  return (
    <div className="mt-8 text-sm text-muted">
      {before}
      <button
        type="button"
        className="link"
        aria-disabled={state === 'pending'}
        onClick={() => void resend()}
      >
        {words}
      </button>
      {after}{' '}
      <span role="status">
        {state === 'pending' && texts.resending}
        {state === 'sent' && texts.resent}
      </span>
      <div role="alert">
        {typeof state === 'object' && <p className="field-error">{state.problem}</p>}
      </div>
    </div>
  );
}
