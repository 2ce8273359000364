import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { formMessages } from '#i18n/validation.ts';
import { Dialog, OpenButton } from '#ui/dialog.tsx';
import { Empty } from '#ui/empty.tsx';
import { DeleteFileForm } from './delete-file-form.tsx';
import type { ListedFile } from './find-files.ts';
import type { Room } from './find-room.ts';
import { sizeWords } from './shown-file.ts';
import { validation } from './vocabulary.ts';

type FileListProps = {
  courseId: string;
  files: readonly ListedFile[];
  room: Room;
  /** The page of a lesson, by its id. */
  pathOf: (lesson: string) => string;
};

/** The files of a course, each with the lessons that have it and a button that deletes it. */
export function FileList({ courseId, files, room, pathOf }: FileListProps) {
  const { i18n, t } = useLingui();
  const count = files.length;
  if (count === 0) {
    return (
      <Empty title={t`No files yet`}>
        <p>
          <Trans>Add images, documents, audio and videos while you write a lesson.</Trans>
        </p>
      </Empty>
    );
  }
  const size = <span>{sizeWords(sum(files), i18n.locale)}</span>;
  const used = <span>{sizeWords(room.used, i18n.locale)}</span>;
  const limit = <span>{sizeWords(room.limit, i18n.locale)}</span>;
  const deleteLabel = ({ name }: ListedFile) => t`Delete ${name}`;
  return (
    <>
      <p className="text-muted">
        <Plural value={count} one="# file" other="# files" /> · {size}
      </p>
      <p className="hint">
        <Trans>
          The files of all your courses take up {used} of {limit}.
        </Trans>{' '}
        <Trans>Files that no lesson uses are deleted a week after you add them.</Trans>
      </p>
      <ul className="rows">
        {files.map((file) => (
          <li key={file.id}>
            <div className="person-name flex-[1_1_12rem]">
              {file.url === null ? (
                <span dir="auto">{file.name}</span>
              ) : (
                <a href={file.url} className="link" target="_blank" rel="noopener" dir="auto">
                  {file.name}
                </a>
              )}
              <span className="text-muted">
                {sizeWords(file.size, i18n.locale)}
                {' · '}
                {file.url === null && <Trans>Not finished</Trans>}
                {file.url !== null && file.lessons.length === 0 && (
                  <Trans>Not used in any lesson</Trans>
                )}
                {file.lessons.map(({ id, title }, at) => (
                  <span key={id}>
                    {at > 0 && ', '}
                    <a href={pathOf(id)} className="link" dir="auto">
                      {title}
                    </a>
                  </span>
                ))}
              </span>
            </div>
            <OpenButton
              dialogId={`delete-${file.id}`}
              className="icon-button"
              aria-label={deleteLabel(file)}
              data-tip={t`Delete file`}
            >
              <span className="icon icon-trash" />
            </OpenButton>
            <DeleteDialog courseId={courseId} file={file} />
          </li>
        ))}
      </ul>
    </>
  );
}

function DeleteDialog({ courseId, file }: { courseId: string; file: ListedFile }) {
  const { i18n, t } = useLingui();
  const { id, name, lessons } = file;
  const count = lessons.length;
  const dialogId = `delete-${id}`;
  return (
    <Dialog id={dialogId} title={t`Delete ${name}?`}>
      <DeleteFileForm
        path={`/api/courses/${courseId}/files/${id}/`}
        dialogId={dialogId}
        messages={formMessages(i18n, validation)}
        texts={{ submit: t`Delete file`, submitting: t`Deleting…`, cancel: t`Cancel` }}
        done={t`File deleted.`}
      >
        <p>
          {count === 0
            ? t`No lesson uses this file. Deleting it can’t be undone.`
            : t`${plural(count, {
                one: '# lesson uses this file, or did in an earlier version. It won’t be shown there anymore. This can’t be undone.',
                other:
                  '# lessons use this file, or did in an earlier version. It won’t be shown there anymore. This can’t be undone.',
              })}`}
        </p>
      </DeleteFileForm>
    </Dialog>
  );
}

function sum(files: readonly ListedFile[]): number {
  return files.reduce((total, { size }) => total + size, 0);
}
