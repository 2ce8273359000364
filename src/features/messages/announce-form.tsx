'use client';

import type { ReactNode } from 'react';
import { ApiForm } from '#client/api-form.tsx';
import { checkBySchema } from '#client/check-by-schema.ts';
import { useFinish } from '#client/use-finish.ts';
import type { FormMessages } from '#i18n/validation.ts';
import { closeDialog } from '#ui/dialog.tsx';
import { SubmitButton } from '#ui/form.tsx';
import { TextArea } from '#ui/text-area.tsx';

type AnnounceFormProps = {
  cohortId: string;
  /** The dialog that it is in, which closes. */
  dialogId: string;
  messages: FormMessages;
  texts: { note: string; noteHint: string; send: string; sending: string; done: string };
  /** In the place of the field for a note, if there is none. */
  children: ReactNode;
};

const check = checkBySchema(() =>
  import('./schema.ts').then(({ AnnouncementInput }) => AnnouncementInput),
);

/** Tells everyone who is enrolled what has changed. */
export function AnnounceForm({ cohortId, dialogId, messages, texts, children }: AnnounceFormProps) {
  const finish = useFinish();
  return (
    <ApiForm
      path={`/api/cohorts/${cohortId}/announcements/` as const}
      messages={messages}
      check={check}
      toInput={({ note = '' }) => ({ note })}
      refusals={['nothing_to_announce', 'cohort_archived', 'cohort_in_trash']}
      onDone={() => {
        closeDialog(dialogId);
        return finish(texts.done);
      }}
    >
      {children || (
        <TextArea
          id="announcement-note"
          label={texts.note}
          name="note"
          hint={texts.noteHint}
          rows={3}
          dir="auto"
        />
      )}
      <div className="actions">
        <SubmitButton label={texts.send} pendingLabel={texts.sending} />
      </div>
    </ApiForm>
  );
}
