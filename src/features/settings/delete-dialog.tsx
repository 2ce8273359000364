import { Trans, useLingui } from '@lingui/react/macro';
import type { ComponentProps, ReactNode } from 'react';
import { formMessages } from '#i18n/validation.ts';
import { CloseButton, Dialog, OpenButton } from '#ui/dialog.tsx';
import { EmailAddress } from '#ui/email-address.tsx';
import { Field } from '#ui/form.tsx';
import { DeleteForm } from './delete-form.tsx';
import { validation } from './vocabulary.ts';

type DeleteDialogProps = Pick<
  ComponentProps<typeof DeleteForm>,
  'path' | 'expected' | 'deleted' | 'confirm'
> & {
  id: string;
  title: string;
  /** What will be deleted: a tile or a disc, its name, and a few words about it. */
  sign: ReactNode;
  name: string;
  about: ReactNode;
  /** The type of `expected`. */
  type?: 'email';
  /** Says what is lost. */
  children: ReactNode;
};

/** Deletes something after its name was typed. */
export function DeleteDialog({ id, title, sign, name, about, ...props }: DeleteDialogProps) {
  const { i18n, t } = useLingui();
  const { path, expected, deleted, confirm, type, children } = props;
  const text = type === 'email' ? <EmailAddress>{expected}</EmailAddress> : expected;
  const typed = <strong dir="auto">{text}</strong>;
  return (
    <Dialog id={id} title={title}>
      {/* In a long document, only scripts put the form in its place. */}
      <p className="notice hidden noscript:block">
        <Trans>
          This form needs JavaScript. Please turn it on in your browser and reload the page.
        </Trans>
      </p>
      <DeleteForm
        // A new form for another item.
        key={path}
        path={path}
        expected={expected}
        messages={formMessages(i18n, validation)}
        deleted={deleted}
        dialogId={id}
        confirm={confirm}
        deleting={t`Deleting…`}
        cancel={<CloseButton dialogId={id}>{t`Cancel`}</CloseButton>}
      >
        {/* In the form, so that its buttons stay in sight beside a long name. */}
        <div className="grid gap-4">
          <div className="thing">
            {sign}
            <div>
              <p dir="auto">{name}</p>
              <p>{about}</p>
            </div>
          </div>
          <p>{children}</p>
          <Field
            id={`${id}-typed`}
            label={<Trans>Type {typed} to confirm</Trans>}
            name="typed"
            type={type}
            dir="auto"
            autoComplete="off"
            spellCheck={false}
            data-transient
            required
          />
        </div>
      </DeleteForm>
    </Dialog>
  );
}

/** Opens a dialog that deletes something. */
export function DeletionButton({ dialogId, children }: { dialogId: string; children: ReactNode }) {
  return (
    <OpenButton dialogId={dialogId} className="button button-danger">
      <span className="icon icon-trash" />
      {children}
    </OpenButton>
  );
}
