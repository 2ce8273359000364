'use client';

import { createContext, type ReactNode, useContext, useState } from 'react';
import { ActionButton } from '#client/action-button.tsx';
import { useFinish } from '#client/use-finish.ts';
import { useRefresh } from '#router/use-load-page.ts';
import { closeDialog } from '#ui/dialog.tsx';
import { participantPaths } from './participant-paths.ts';
import type { ParticipantAction } from './schema.ts';

const RefusalContext = createContext<(refusal: string | null) => void>(() => {});

/** Where a refusal is said, above buttons that may be gone by then. */
export function Refusals({ children }: { children: ReactNode }) {
  const [refusal, setRefusal] = useState<string | null>(null);
  return (
    <>
      <div role="alert">{refusal !== null && <div className="alert">{refusal}</div>}</div>
      <RefusalContext value={setRefusal}>{children}</RefusalContext>
    </>
  );
}

type ParticipantButtonProps = {
  action: ParticipantAction;
  link: string;
  enrollmentId: string;
  pendingLabel: string;
  /** What is said when it is done, by the status after it. */
  done: Record<string, string>;
  className: string;
  /** The dialog around it, which is then closed. */
  dialogId?: string;
  children: ReactNode;
};

/** Does what a person has chosen about their place. Their page then shows where they stand. */
export function ParticipantButton(props: ParticipantButtonProps) {
  const { action, link, enrollmentId, done, dialogId, ...button } = props;
  const setRefusal = useContext(RefusalContext);
  const refresh = useRefresh();
  const finish = useFinish();

  return (
    <ActionButton
      path={participantPaths.participation(action)}
      call={{ input: { link, enrollment_id: enrollmentId } }}
      onDone={async ({ status }) => {
        closeDialog(dialogId ?? '');
        setRefusal(null);
        await finish(done[status] ?? done['other'] ?? '');
      }}
      onFailure={({ status, body }) => {
        const isRefused = status === 400 || status === 404 || status === 422;
        if (isRefused) {
          // The page shows how things are by now.
          closeDialog(dialogId ?? '');
          setRefusal(body?.message ?? null);
          void refresh();
        }
        return isRefused;
      }}
      {...button}
    />
  );
}
