'use client';

import { createContext, type ReactNode, useContext, useState } from 'react';
import { ActionButton } from '#client/action-button.tsx';
import { useFinish } from '#client/use-finish.ts';
import type { ButtonProps } from '#features/cohorts/cohort-button.tsx';
import { useConfirmedLink } from '#features/enrolling/confirmation-button.tsx';
import { learningApi } from '#features/learning/learning-paths.ts';
import { useRefresh } from '#router/use-load-page.ts';
import { closeDialog } from '#ui/dialog.tsx';
import type { ParticipantAction } from './schema.ts';

const AlertContext = createContext<(text: string | null) => void>(() => {});

/** Says why a button did nothing, or that there is no reason any more. */
export function useAlert(): (text: string | null) => void {
  return useContext(AlertContext);
}

/** Where a button says why it did nothing: above it, because it may be gone by then. */
export function ButtonAlerts({ children }: { children: ReactNode }) {
  const [text, setText] = useState<string | null>(null);
  return (
    <>
      <div role="alert">{text !== null && <div className="alert">{text}</div>}</div>
      <AlertContext value={setText}>{children}</AlertContext>
    </>
  );
}

type ParticipantButtonProps = Omit<ButtonProps, 'done'> & {
  action: ParticipantAction;
  link: string;
  enrollmentId: string;
  /** What is said when it is done, by the status after it. */
  done: Record<string, string>;
  /** The dialog around it, which is then closed. */
  dialogId?: string;
};

/** Does what a person has chosen about their place. Their page then shows where they stand. */
export function ParticipantButton(props: ParticipantButtonProps) {
  const { action, link, enrollmentId, done, dialogId, ...button } = props;
  const setAlert = useAlert();
  const refresh = useRefresh();
  const finish = useFinish();

  return (
    <ActionButton
      path={`/api/participation/${action}/` as const}
      call={{ input: { link, enrollment_id: enrollmentId } }}
      onDone={async ({ status }) => {
        closeDialog(dialogId ?? '');
        setAlert(null);
        await finish(done[status] ?? done['other'] ?? '');
      }}
      onFailure={({ status, body }) => {
        const isRefused = status === 400 || status === 404 || status === 422;
        if (isRefused) {
          // The page shows how things are by now.
          closeDialog(dialogId ?? '');
          setAlert(body?.message ?? null);
          void refresh();
        }
        return isRefused;
      }}
      {...button}
    />
  );
}

type TakePartButtonProps = Omit<ButtonProps, 'className'> & { link: string };

/** Says that someone who was added takes part. */
export function TakePartButton({ link, done, ...button }: TakePartButtonProps) {
  const finish = useFinish();
  return (
    <ActionButton
      path="/api/participation/"
      call={{ method: 'PATCH', input: { link, takes_part: true } }}
      className="button button-primary"
      onDone={() => finish(done)}
      {...button}
    />
  );
}

type OpenCourseButtonProps = Omit<ButtonProps, 'done'> & {
  link: string;
  courseId: string;
  describedBy?: string;
};

/** Makes this browser remember the person of a page, and leads to their lessons. */
export function OpenCourseButton({ link, courseId, ...button }: OpenCourseButtonProps) {
  const setAlert = useAlert();
  return (
    <ActionButton
      path={learningApi.open}
      call={{ input: { link, course_id: courseId } }}
      onDone={({ redirect_to: page }) => {
        // A whole load, because the page may play videos; see response-headers.ts.
        window.location.assign(page);
        return 'leaving';
      }}
      onFailure={({ status, body }) => {
        const isRefused = status === 400 || status === 422;
        setAlert(isRefused ? (body?.message ?? null) : null);
        return isRefused;
      }}
      {...button}
    />
  );
}

/** The same for someone whom a confirmation has just enrolled. */
export function StartButton(button: Omit<OpenCourseButtonProps, 'link' | 'describedBy'>) {
  return (
    <ButtonAlerts>
      <OpenCourseButton link={useConfirmedLink()} {...button} />
    </ButtonAlerts>
  );
}
