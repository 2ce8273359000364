import { useEffect, useRef } from 'react';
import { markChanges } from '#client/unsaved.ts';
import { sizeWords } from '#features/files/shown-file.ts';
import type { EditorTexts } from './editor-texts.ts';
import type { EditorUpload } from './use-uploads.ts';

type UploadListProps = {
  uploads: readonly EditorUpload[];
  locale: string;
  texts: EditorTexts['files'];
  onRetry: (id: string) => void;
  onCancel: (id: string) => void;
};

/** The files that are on their way, at the bottom edge. Leaving the page would lose them. */
export function UploadList({ uploads, locale, texts, onRetry, onCancel }: UploadListProps) {
  const ref = useRef<HTMLElement>(null);
  const isBusy = uploads.length > 0;
  useEffect(() => {
    const { current: element } = ref;
    markChanges(element, isBusy ? 'course' : null);
    return () => markChanges(element, null);
  }, [isBusy]);
  return (
    <section ref={ref} className="uploads" aria-label={texts.uploads} hidden={!isBusy}>
      <ul>
        {uploads.map(({ id, name, sent, size, problem }) => (
          <li key={id}>
            <strong dir="auto">{name}</strong>
            {problem === null ? (
              <>
                <progress
                  max={size}
                  value={sent ?? undefined}
                  aria-label={texts.uploading.replace('{name}', () => name)}
                />
                <span>
                  {sent === null
                    ? texts.waiting
                    : texts.sent
                        .replace('{sent}', sizeWords(sent, locale))
                        .replace('{size}', sizeWords(size, locale))}
                </span>
              </>
            ) : (
              <>
                <span role="alert" className="upload-problem">
                  {problem.words}
                </span>
                {problem.canRetry && (
                  <button type="button" className="button button-quiet" onClick={() => onRetry(id)}>
                    {texts.retry}
                  </button>
                )}
              </>
            )}
            <button
              type="button"
              className="icon-button"
              aria-label={texts.cancel.replace('{name}', () => name)}
              onClick={() => onCancel(id)}
            >
              <span className="icon icon-close" />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
