import 'server-only';
import { Trans, useLingui } from '@lingui/react/macro';
import { downloadContentId } from '#features/lessons/outline-ids.ts';
import { problemTexts } from '#i18n/validation.ts';
import { Dialog } from '#ui/dialog.tsx';
import { DownloadPanel } from './download-panel.tsx';
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
              You’ll get a zip with one Markdown file per lesson, drafts included, and the images
              and files your lessons use.
            </Trans>
          </p>
          <DownloadPanel
            courseId={id}
            courseName={name}
            locale={i18n.locale}
            texts={downloadTexts(i18n)}
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
