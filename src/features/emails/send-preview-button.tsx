'use client';

import type { ReactNode } from 'react';
import { ActionButton } from '#client/action-button.tsx';
import type { emailPaths } from '#paths.ts';
import { showToast } from '#ui/toast.tsx';

type SendPreviewButtonProps = {
  path: ReturnType<typeof emailPaths.send>;
  pendingLabel: string;
  done: string;
  children: ReactNode;
};

/** Emails the viewer what people get. */
export function SendPreviewButton(props: SendPreviewButtonProps) {
  const { done, ...button } = props;
  return (
    <ActionButton className="button button-primary" onDone={() => showToast(done)} {...button} />
  );
}
