import { useLingui } from '@lingui/react/macro';
import type { ComponentProps, ReactNode } from 'react';
import { formMessages } from '#i18n/validation.ts';
import { CloseButton, Dialog } from '#ui/dialog.tsx';
import { Field, SubmitButton } from '#ui/form.tsx';
import { DeleteForm } from './delete-form.tsx';

type DeleteDialogProps = Pick<
  ComponentProps<typeof DeleteForm>,
  'path' | 'expected' | 'deleted'
> & {
  id: string;
  title: string;
  /** The label that asks for `expected` to be typed. */
  question: string;
  type?: 'email';
  confirm: string;
  /** Describes what will be deleted. */
  children: ReactNode;
};

export function DeleteDialog({ id, title, children, ...props }: DeleteDialogProps) {
  const { i18n, t } = useLingui();
  const { path, expected, deleted, question, type, confirm } = props;
  return (
    <Dialog id={id} title={title} close={t`Close`}>
      <p>{children}</p>
      <DeleteForm
        // A new form for another item.
        key={path}
        path={path}
        expected={expected}
        messages={formMessages(i18n)}
        deleted={deleted}
        dialogId={id}
      >
        <Field
          id={`${id}-typed`}
          label={question}
          hint={expected}
          name="typed"
          type={type}
          autoComplete="off"
          spellCheck={false}
          data-transient
          required
        />
        <div className="dialog-foot">
          <CloseButton dialogId={id}>{t`Cancel`}</CloseButton>
          <SubmitButton
            label={confirm}
            pendingLabel={t`Deleting…`}
            className="button button-delete"
          />
        </div>
      </DeleteForm>
    </Dialog>
  );
}
