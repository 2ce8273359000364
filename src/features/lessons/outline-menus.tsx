'use client';

import { useEffect, useState } from 'react';
import { ActionButton } from '#client/action-button.tsx';
import { checkBySchema } from '#client/check-by-schema.ts';
import { DialogForm } from '#client/dialog-form.tsx';
import { useFinish } from '#client/use-finish.ts';
import { ChangeButton, closeMenu } from '#features/cohorts/cohort-button.tsx';
import type { FormMessages } from '#i18n/validation.ts';
import { closeDialog, Dialog, OpenButton } from '#ui/dialog.tsx';
import { MinutesDialog, UnpublishDialog } from './lesson-dialogs.tsx';
import { lessonApi } from './lesson-paths.ts';
import { TitleField } from './new-dialogs.tsx';
import { OpeningDialog, RuleDialog } from './opening-dialogs.tsx';
import type { OpeningCohort, Part, ShownLesson, ShownSection } from './outline.tsx';
import {
  lessonMenuId,
  minutesId,
  moveToId,
  openingId,
  renameId,
  ruleId,
  sectionMenuId,
  unpublishId,
} from './outline-ids.ts';
import { type Move, stepOf } from './outline-order.ts';
import type { outlineTexts } from './outline-texts.ts';

type MenusProps = {
  sections: ShownSection[];
  cohort: OpeningCohort | null;
  messages: FormMessages;
  texts: ReturnType<typeof outlineTexts>;
  onMove: (move: Move) => void;
  /** Called when what the menu was of is no longer in the outline. */
  onGone: () => void;
};

/** One menu for all lessons and one for all sections, and the dialogs that they open. */
export function OutlineMenus(props: MenusProps) {
  const { sections, texts } = props;
  const [chosen, setChosen] = useState<Part | null>(null);
  const lesson = sections.flatMap(({ lessons }) => lessons).find(({ id }) => id === chosen?.id);
  const section = sections.find(({ id }) => id === chosen?.id);

  useEffect(() => {
    /** Before the browser opens the menu. */
    const choose = ({ target }: Event) => {
      const part = target instanceof Element ? partOf(target) : null;
      if (part !== null) {
        setChosen(part);
      }
    };
    document.addEventListener('click', choose, { capture: true });
    const open = document.querySelector<HTMLElement>(
      `:is(#${lessonMenuId}, #${sectionMenuId}):popover-open`,
    );
    if (open !== null) {
      // Opened before this script was there, by a button that not all browsers focus.
      const part = document.activeElement && partOf(document.activeElement);
      setChosen(part);
      if (part === null) {
        open.hidePopover();
      }
    }
    return () => document.removeEventListener('click', choose, { capture: true });
  }, []);

  const waiting = <p className="px-3 py-2 text-muted">{texts.waiting}</p>;
  return (
    <>
      <div id={lessonMenuId} popover="auto" data-menu className="menu">
        {/* New buttons for another lesson, which wait for no answer. */}
        {lesson ? <LessonItems key={lesson.id} {...props} lesson={lesson} /> : waiting}
      </div>
      <div id={sectionMenuId} popover="auto" data-menu className="menu">
        {section ? <SectionItems key={section.id} {...props} section={section} /> : waiting}
      </div>
      {lesson && <LessonDialogs key={`${lesson.id} ${lesson.title}`} {...props} lesson={lesson} />}
      {section && (
        <SectionDialogs
          // New forms for another section, and for what another tab has changed.
          key={JSON.stringify([section.id, section.title, section.releaseDays, section.opening])}
          {...props}
          section={section}
        />
      )}
    </>
  );
}

/** Whose menu a button opens; null for anything else. */
function partOf(element: Element): Part | null {
  const { part: id, kind } = element.closest<HTMLElement>('button[data-part]')?.dataset ?? {};
  return id !== undefined && (kind === 'lesson' || kind === 'section') ? { kind, id } : null;
}

type ItemProps = MenusProps & { lesson: ShownLesson };

function LessonItems(props: ItemProps) {
  const { sections, lesson, texts } = props;
  const { id, state, version, isOpened } = lesson;
  return (
    <>
      <OpenButton dialogId={renameId} className="menu-item">
        {texts.rename}
      </OpenButton>
      <OpenButton dialogId={minutesId} className="menu-item">
        {texts.minutes.title}
      </OpenButton>
      <Steps {...props} part={{ kind: 'lesson', id }} />
      {sections.length > 1 && (
        <OpenButton dialogId={moveToId} className="menu-item">
          {texts.moveTo.item}
        </OpenButton>
      )}
      <ChangeButton
        path={lessonApi.duplicate(id)}
        className="menu-item"
        pendingLabel={texts.waiting}
        done={texts.duplicate.done}
      >
        {texts.duplicate.label}
      </ChangeButton>
      {state !== 'published' && (
        <ChangeButton
          path={lessonApi.publish(id)}
          call={{ input: { draft_version: version } }}
          className="menu-item"
          pendingLabel={texts.publish.pending}
          done={texts.publish.done}
        >
          {state === 'draft' ? texts.publish.label : texts.publish.changes}
        </ChangeButton>
      )}
      {isOpened && (
        <OpenButton dialogId={unpublishId} className="menu-item">
          {texts.unpublish.submit}
        </OpenButton>
      )}
      {state !== 'draft' && !isOpened && (
        <ChangeButton
          path={lessonApi.unpublish(id)}
          className="menu-item"
          pendingLabel={texts.waiting}
          done={texts.unpublish.done}
        >
          {texts.unpublish.submit}
        </ChangeButton>
      )}
      <TrashButton {...props} />
    </>
  );
}

function Steps({ sections, part, texts, onMove }: MenusProps & { part: Part }) {
  return (['up', 'down'] as const).map((step) => {
    const move = stepOf(sections, part.kind, part.id, step);
    return (
      move && (
        <button key={step} type="button" className="menu-item" onClick={() => onMove(move)}>
          {texts[step]}
        </button>
      )
    );
  });
}

/** Moves a lesson to the trash, from where the toast brings it back. */
function TrashButton({ lesson: { id }, texts, onGone }: ItemProps) {
  const finish = useFinish();
  const { done, undo: label, restored } = texts.trash;
  return (
    <ActionButton
      path={lessonApi.lesson(id)}
      call={{ method: 'DELETE' }}
      className="menu-item menu-last text-danger"
      pendingLabel={texts.waiting}
      onDone={() => {
        closeMenu();
        onGone();
        return finish(done, { label, path: lessonApi.restore(id), done: restored });
      }}
    >
      {texts.trash.label}
    </ActionButton>
  );
}

type SectionProps = MenusProps & { section: ShownSection };

function SectionItems(props: SectionProps) {
  const { section, cohort, texts } = props;
  return (
    <>
      <OpenButton dialogId={renameId} className="menu-item">
        {texts.rename}
      </OpenButton>
      <OpenButton dialogId={ruleId} className="menu-item">
        {texts.rule.item}
      </OpenButton>
      {cohort && section.opening && (
        <OpenButton dialogId={openingId} className="menu-item">
          {cohort.texts.item.replace('{cohort}', () => cohort.name)}
        </OpenButton>
      )}
      <Steps {...props} part={{ kind: 'section', id: section.id }} />
      {section.lessons.length === 0 && (
        <ChangeButton
          path={lessonApi.section(section.id)}
          call={{ method: 'DELETE' }}
          className="menu-item menu-last text-danger"
          pendingLabel={texts.waiting}
          done={texts.deleteSection.done}
        >
          {texts.deleteSection.label}
        </ChangeButton>
      )}
    </>
  );
}

const checkTitle = checkBySchema(() =>
  import('./schema.ts').then(({ LessonPatch }) => LessonPatch),
);

const checkSectionTitle = checkBySchema(() =>
  import('./schema.ts').then(({ SectionPatch }) => SectionPatch),
);

function LessonDialogs({ sections, lesson, messages, texts, onMove }: ItemProps) {
  const { id, title, typedMinutes } = lesson;
  return (
    <>
      <Dialog id={renameId} title={texts.renameLesson.title}>
        <DialogForm
          path={lessonApi.lesson(id)}
          method="PATCH"
          dialogId={renameId}
          messages={messages}
          check={checkTitle}
          texts={texts.renameLesson}
          done={texts.renameLesson.done}
        >
          <TitleField id="lesson-name" label={texts.newLesson.field} title={title} />
        </DialogForm>
      </Dialog>
      <MinutesDialog id={id} minutes={typedMinutes} messages={messages} texts={texts.minutes} />
      {lesson.isOpened && <UnpublishDialog id={id} messages={messages} texts={texts.unpublish} />}
      <Dialog id={moveToId} title={texts.moveTo.title} close={texts.close}>
        <ul className="-mx-3 max-h-[50vh] overflow-y-auto wrap-anywhere">
          {sections
            .filter(({ lessons }) => lessons.every((one) => one.id !== id))
            .map((section) => (
              <li key={section.id}>
                <button
                  type="button"
                  className="menu-item"
                  dir="auto"
                  onClick={() => {
                    closeDialog(moveToId);
                    onMove({ kind: 'lesson', id, sectionId: section.id, before: null });
                  }}
                >
                  {section.title ?? texts.untitled}
                </button>
              </li>
            ))}
        </ul>
      </Dialog>
    </>
  );
}

function SectionDialogs({ section, cohort, messages, texts }: SectionProps) {
  return (
    <>
      <RenameSection section={section} messages={messages} texts={texts} />
      <RuleDialog section={section} messages={messages} texts={texts.rule} />
      {cohort && section.opening && (
        <OpeningDialog
          sectionId={section.id}
          opening={section.opening}
          cohort={cohort}
          messages={messages}
        />
      )}
    </>
  );
}

type RenameProps = Pick<SectionProps, 'section' | 'messages' | 'texts'>;

function RenameSection({ section, messages, texts }: RenameProps) {
  return (
    <Dialog id={renameId} title={texts.renameSection.title}>
      <DialogForm
        path={lessonApi.section(section.id)}
        method="PATCH"
        dialogId={renameId}
        messages={messages}
        check={checkSectionTitle}
        texts={texts.renameSection}
        done={texts.renameSection.done}
      >
        <TitleField id="section-name" label={texts.newSection.field} title={section.title ?? ''} />
      </DialogForm>
    </Dialog>
  );
}
