'use client';

import { type ReactNode, useState } from 'react';
import { ApiForm } from '#client/api-form.tsx';
import { checkBySchema } from '#client/check-by-schema.ts';
import type { FormMessages } from '#i18n/validation.ts';
import { learningApi } from './learning-paths.ts';

const check = checkBySchema(() =>
  import('./schema.ts').then(({ LearnerLinkInput }) => LearnerLinkInput),
);

type WayBackFormProps = {
  courseId: string;
  messages: FormMessages;
  /** The fields of the address. */
  children: ReactNode;
  /** What is said once the email was asked for; the same for every address. */
  sent: ReactNode;
  /** The fields of the code. */
  code: ReactNode;
  /** What leads back to the address. */
  again: string;
};

/** Asks for an email by its address, then for the code in it: for browsers that do not know one. */
export function WayBackForm(props: WayBackFormProps) {
  const { courseId, messages, children, sent, code, again } = props;
  const [address, setAddress] = useState<string | null>(null);
  const [typed, setTyped] = useState('');
  if (address === null) {
    return (
      <ApiForm
        key="address"
        path={learningApi.links}
        messages={messages}
        check={({ email }) => check({ course_id: courseId, email })}
        initialValues={{ email: typed }}
        toInput={({ email = '' }) => ({ course_id: courseId, email })}
        onDone={(_none, { email = '' }) => {
          setTyped(email);
          setAddress(email);
        }}
      >
        {children}
      </ApiForm>
    );
  }
  return (
    <div className="grid gap-6">
      {sent}
      <ApiForm
        key="code"
        path={learningApi.codes}
        messages={messages}
        errors={{
          fields: {
            learner_code_wrong: 'code',
            learner_code_over: 'code',
            lessons_not_open: 'code',
          },
        }}
        toInput={({ code: digits }) => ({ code: digits, course_id: courseId })}
        onDone={({ redirect_to: page }) => {
          // A whole load, because the page may play videos; see response-headers.ts.
          window.location.assign(page);
          return 'leaving';
        }}
      >
        {code}
      </ApiForm>
      <div>
        <button type="button" className="link" onClick={() => setAddress(null)}>
          {again}
        </button>
      </div>
    </div>
  );
}
