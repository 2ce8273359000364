'use client';

import type { ReactNode } from 'react';
import { ApiForm } from '#client/api-form.tsx';
import { checkBySchema } from '#client/check-by-schema.ts';
import { useFinish } from '#client/use-finish.ts';
import type { Locale } from '#db/values.ts';
import type { FormMessages } from '#i18n/validation.ts';

const checkParticipant = checkBySchema(() =>
  import('./schema.ts').then(({ ParticipantPatch }) => ParticipantPatch),
);

type ParticipantFormProps = {
  link: string;
  /** What the page was rendered with. */
  stored: { name: string; language: Locale; reminders: boolean };
  saved: string;
  messages: FormMessages;
  children: ReactNode;
};

/**
 * Changes what a person chooses for themselves; the page is then in their language. Only what
 * differs is sent: the rest may have changed meanwhile, for example by unsubscribing.
 */
export function ParticipantForm(props: ParticipantFormProps) {
  const { link, stored, saved, messages, children } = props;
  const finish = useFinish();
  return (
    <ApiForm
      path="/api/participation/"
      method="PATCH"
      messages={messages}
      check={({ name, language }) => checkParticipant({ name, language })}
      refusals={['person_link_invalid']}
      toInput={({ name = '', language, reminders }) => ({
        link,
        ...(name !== stored.name && { name }),
        ...(language !== stored.language && { language: language as Locale }),
        ...((reminders === 'on') !== stored.reminders && { reminders: reminders === 'on' }),
      })}
      onDone={({ language }) => {
        window.history.replaceState(window.history.state, '', `?lang=${language}`);
        return finish(saved);
      }}
    >
      {children}
    </ApiForm>
  );
}
