'use client';

import type { ReactNode } from 'react';
import { ActionButton } from '#client/action-button.tsx';
import { forgetMarks } from './kept-marks.ts';
import { learningApi, learningPaths } from './learning-paths.ts';

type ForgetButtonProps = { className: string; pendingLabel: string; children: ReactNode };

/** Makes this device forget its person, with what it has not sent yet. */
export function ForgetButton(props: ForgetButtonProps) {
  return (
    <ActionButton
      path={learningApi.device}
      call={{ method: 'DELETE' }}
      onDone={() => {
        forgetMarks();
        // A new document, so that nothing of the person stays in memory.
        window.location.assign(learningPaths.courses);
        return 'leaving';
      }}
      {...props}
    />
  );
}
