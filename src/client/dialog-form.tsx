'use client';

import { useState } from 'react';
import { CloseButton, closeDialog } from '#ui/dialog.tsx';
import { SubmitButton } from '#ui/form.tsx';
import { ApiForm, type ApiFormProps } from './api-form.tsx';
import type { ApiPath, MethodOf, OutputOf } from './api-routes.ts';
import { leaveFor } from './leave.ts';
import { type Undo, useFinish } from './use-finish.ts';

type DialogFormProps<Path extends ApiPath, Method extends MethodOf<Path>> = Omit<
  ApiFormProps<Path, Method>,
  'onDone'
> & {
  dialogId: string;
  /** Whether it can be sent; by default it can. */
  isReady?: boolean;
  /** Whether it takes something away. */
  isDangerous?: boolean;
  texts: { submit: string; submitting: string; cancel: string };
  done: string | ((data: OutputOf<Path, Method>) => string);
  undo?: Undo | undefined;
  /** Where it leads; by default the page shows what it is now. */
  page?: string | ((data: OutputOf<Path, Method>) => string | undefined);
  /** Called when the dialog has closed, before the page shows what is new. */
  onDone?: () => void;
};

/** A form in a dialog, which closes when it is done. There is a new one then. */
export function DialogForm<
  Path extends ApiPath,
  Method extends MethodOf<Path> = MethodOf<Path> & 'POST',
>(props: DialogFormProps<Path, Method>) {
  const { dialogId, isReady = true, isDangerous, texts, children, ...rest } = props;
  const { done, undo, page, onDone, ...form } = rest;
  const finish = useFinish();
  const [round, setRound] = useState(0);
  return (
    <ApiForm<Path, Method>
      key={round}
      {...form}
      onDone={async (data) => {
        closeDialog(dialogId);
        onDone?.();
        const text = typeof done === 'string' ? done : done(data);
        const next = typeof page === 'function' ? page(data) : page;
        if (next !== undefined) {
          return leaveFor(next, text, undo);
        }
        await finish(text, undo);
        setRound(round + 1);
        return undefined;
      }}
    >
      {children}
      <div className="dialog-foot">
        <CloseButton dialogId={dialogId}>{texts.cancel}</CloseButton>
        <SubmitButton
          label={texts.submit}
          pendingLabel={texts.submitting}
          isDisabled={!isReady}
          {...(isDangerous && { className: 'button button-delete' })}
        />
      </div>
    </ApiForm>
  );
}
