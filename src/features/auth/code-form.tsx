'use client';

import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { callApi, problemOf } from '#client/call-api.ts';
import { tellTabs } from '#client/tabs.ts';
import type { FormMessages } from '#i18n/validation.ts';
import { apiPaths } from '#paths.ts';
import { BusyLabels } from '#ui/busy-labels.tsx';
import { focusOnDesk } from '#ui/focus-on-desk.ts';

const codeLength = 6;

export type CodeTexts = {
  label: string;
  /** What else one can do. */
  hint: ReactNode;
  submit: string;
  pending: string;
  /** Shown if digits are missing. */
  incomplete: string;
};

type CodeFormProps = {
  texts: CodeTexts;
  messages: FormMessages;
  className?: string;
  /** Called with the page to continue to, once the browser is signed in. */
  onDone: (redirectTo: string) => void;
};

type State = 'idle' | 'busy' | { problem: string };

/**
 * Signs in with the code in an email. One field, so that pasting and autofill work; the sixth digit
 * submits it. A wrong code stays, selected, so that typing replaces it.
 */
export function CodeForm({ texts, messages, className = '', onDone }: CodeFormProps) {
  const id = useId();
  const inputRef = useRef<HTMLInputElement>(null);
  // Typing the last digit and pressing Enter would send it twice.
  const isSending = useRef(false);
  const [code, setCode] = useState('');
  const [state, setState] = useState<State>('idle');
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

  return (
    <form
      className={className}
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
          onChange={({ target }) => {
            // Not a `maxLength`, which would cut a pasted "123 456".
            const digits = target.value.replace(/\D/g, '').slice(0, codeLength);
            setCode(digits);
            setState('idle');
            if (digits.length === codeLength) {
              void send(digits);
            }
          }}
        />
      </div>
      {/* In place of each other, so that nothing moves. */}
      <div id={`${id}-note`} className="code-note">
        <div role="alert">{problem !== null && <p className="field-error">{problem}</p>}</div>
        {problem === null && <p className="hint">{texts.hint}</p>}
      </div>
      <button
        type="submit"
        className="button button-primary button-large mt-6 w-full"
        aria-disabled={state === 'busy'}
      >
        <BusyLabels isBusy={state === 'busy'} busyLabel={texts.pending}>
          {texts.submit}
        </BusyLabels>
      </button>
    </form>
  );
}
