'use client';

import type { FormMessages } from '#i18n/validation.ts';
import { Dialog } from '#ui/dialog.tsx';
import { withName } from './dialogs.ts';
import { RemoveForm } from './remove-form.tsx';

/** `{name}` stands for the person. */
export type RemoveTexts = {
  title: string;
  explanation: string;
  tell: string;
  remove: string;
  removing: string;
  cancel: string;
  done: string;
};

export type RemoveDialogProps = {
  id: string;
  cohortId: string;
  enrollmentId: string;
  name: string;
  /** `refuse` for someone who only asks for a place, `withdraw` for who is offered one. */
  move: 'remove' | 'refuse' | 'withdraw';
  messages: FormMessages;
  /** Whether they can be told by email. */
  canTell: boolean;
  texts: RemoveTexts;
};

/** Asks before someone loses their place. */
export function RemoveDialog(props: RemoveDialogProps) {
  return (
    <Dialog id={props.id} title={withName(props.texts.title, props.name)}>
      <RemoveForm {...props} />
    </Dialog>
  );
}
