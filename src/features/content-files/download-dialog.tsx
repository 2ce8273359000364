import 'server-only';
import { Trans, useLingui } from '@lingui/react/macro';
import { downloadContentId } from '#features/lessons/outline-ids.ts';
import { problemTexts } from '#i18n/validation.ts';
import { Dialog } from '#ui/dialog.tsx';
import { DownloadContent } from './download-button.tsx';
import { downloadTexts } from './download-texts.ts';

type DownloadDialogProps = { course: { id: string; name: string }; hasLessons: boolean };

/** Offers the lessons of a course as a zip. */
export function DownloadDialog({ course: { id, name }, hasLessons }: DownloadDialogProps) {
  const { i18n, t } = useLingui();
  return (
    <Dialog id={downloadContentId} title={t`Download as Markdown`} close={t`Close`}>
      {hasLessons ? (
        <>
          <p>
            <Trans>
              You get a zip with a text file for each lesson, as it is in the editor, and the images
              and files that they have.
            </Trans>
          </p>
          <DownloadContent
            courseId={id}
            courseName={name}
            locale={i18n.locale}
            texts={downloadTexts(i18n, name)}
            problems={problemTexts(i18n)}
          />
        </>
      ) : (
        <p>
          <Trans>There are no lessons to download yet.</Trans>
        </p>
      )}
    </Dialog>
  );
}
