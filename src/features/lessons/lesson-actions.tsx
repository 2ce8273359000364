'use client';

import { type ComponentProps, type ReactNode, useState } from 'react';
import { ActionButton } from '#client/action-button.tsx';
import { callApi } from '#client/call-api.ts';
import { reportFailure } from '#client/failures.ts';
import { leaveFor } from '#client/leave.ts';
import { type Undo, useFinish } from '#client/use-finish.ts';
import { closeMenu } from '#features/cohorts/cohort-button.tsx';
import { BusyLabels } from '#ui/busy-labels.tsx';
import { showToast } from '#ui/toast.tsx';
import { useWrittenLesson } from './lesson-context.ts';
import { lessonApi, lessonPaths } from './lesson-paths.ts';

/** Leads to the preview once what it shows is saved. */
export function PreviewLink({ id, ...link }: ComponentProps<'a'> & { id: string }) {
  const { saver, saveFirst } = useWrittenLesson();
  const href = `${lessonPaths.lessonPreview(id)}?drafts=1`;
  return (
    <a
      {...link}
      href={href}
      onClick={(event) => {
        const isHere = !event.ctrlKey && !event.metaKey && !event.shiftKey;
        if (saver.isBehind && isHere) {
          event.preventDefault();
          void saveFirst().then((isSaved) => isSaved && window.location.assign(href));
        }
      }}
    />
  );
}

export type PublishTexts = {
  publish: string;
  publishChanges: string;
  /** Where there is nothing to publish. */
  published: string;
  publishing: string;
  /** The toast. */
  done: string;
};

type PublishButtonProps = {
  id: string;
  shown: 'draft' | 'changed' | 'published';
  /** Why it can't be published yet; null if it can. */
  why: string | null;
  texts: PublishTexts;
};

const whyId = 'why-not-published';

/** Shows learners what is written now, after it was saved. */
export function PublishButton({ id, shown, why, texts }: PublishButtonProps) {
  const { saver, saveFirst } = useWrittenLesson();
  const finish = useFinish();
  const [isBusy, setIsBusy] = useState(false);

  async function send(): Promise<void> {
    if (!(await saveFirst())) {
      return;
    }
    const input = { draft_version: saver.version };
    const result = await callApi(lessonApi.publish(id), { input });
    if (result.ok) {
      await finish(texts.done);
    } else if (result.status === 409) {
      // Another tab was faster: the next save is refused with its text.
      saver.askServer();
    } else if (result.status === 422 && result.body !== null) {
      showToast(result.body.message, 'failed');
    } else {
      reportFailure(result, publish);
    }
  }

  async function publish(): Promise<void> {
    setIsBusy(true);
    await send();
    setIsBusy(false);
  }

  const isOff = why !== null || shown === 'published';
  const label = {
    draft: texts.publish,
    changed: texts.publishChanges,
    published: texts.published,
  }[shown];
  return (
    <div className="lesson-publish">
      <button
        type="button"
        className="button button-primary"
        disabled={isOff}
        aria-disabled={isBusy}
        aria-describedby={why === null ? undefined : whyId}
        onClick={() => void (isBusy || publish())}
      >
        <BusyLabels isBusy={isBusy} busyLabel={texts.publishing}>
          {label}
        </BusyLabels>
      </button>
      {why !== null && shown !== 'published' && (
        <p id={whyId} className="lesson-why text-[0.8125rem]/4 whitespace-nowrap text-muted">
          {why}
        </p>
      )}
    </div>
  );
}

type MenuButtonProps = {
  id: string;
  className: string;
  pendingLabel: string;
  done: string;
  children: ReactNode;
};

/** Makes a draft with the same text, and opens it. */
export function DuplicateButton({ id, done, ...button }: MenuButtonProps) {
  const { saveFirst } = useWrittenLesson();
  return (
    <ActionButton
      {...button}
      path={lessonApi.duplicate(id)}
      mayStart={saveFirst}
      onDone={(copy) => leaveFor(lessonPaths.lesson(copy.id), done)}
    />
  );
}

/** Moves the lesson to the trash, with what is written now, and shows the others. */
export function TrashButton({ id, done, undo, ...button }: MenuButtonProps & { undo: Undo }) {
  const { saveFirst } = useWrittenLesson();
  return (
    <ActionButton
      {...button}
      path={lessonApi.lesson(id)}
      call={{ method: 'DELETE' }}
      mayStart={saveFirst}
      onDone={() => leaveFor(lessonPaths.list, done, undo)}
    />
  );
}

type AboutButtonProps = { factsId: string; className: string; children: ReactNode };

/** Opens what is known about the lesson, in the place of the menu that the button is in. */
export function AboutButton({ factsId, ...button }: AboutButtonProps) {
  return (
    <button
      {...button}
      type="button"
      onClick={() => {
        closeMenu();
        document.getElementById(factsId)?.showPopover();
      }}
    />
  );
}

/** Hides the lesson from learners again. */
export function UnpublishButton({ id, done, ...button }: MenuButtonProps) {
  const finish = useFinish();
  const onDone = () => {
    closeMenu();
    return finish(done);
  };
  return <ActionButton {...button} path={lessonApi.unpublish(id)} onDone={onDone} />;
}

/** How many words there are, counted with each save. */
export function Words({ locale }: { locale: string }) {
  return useWrittenLesson().words.toLocaleString(locale);
}

type RestoreButtonProps = MenuButtonProps & { version: number };

/** Makes a version the draft again, and opens that. */
export function RestoreButton({ id, version, done, ...button }: RestoreButtonProps) {
  return (
    <ActionButton
      {...button}
      path={lessonApi.restoreVersion(id, version)}
      onDone={() => leaveFor(lessonPaths.lesson(id), done)}
    />
  );
}
