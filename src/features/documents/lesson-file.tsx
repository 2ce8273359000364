import { useLingui } from '@lingui/react/macro';
import { groupOf } from '#features/files/file-types.ts';
import type { ShownFile } from '#features/files/schema.ts';
import { type ShownFiles, sizeWords, stemOf } from '#features/files/shown-file.ts';

/** A picture in a lesson. Its place is kept free until it has loaded. */
export function LessonImage({ file, alt }: { file: ShownFile; alt: string }) {
  const { url, width, height } = file;
  return (
    <figure className="lesson-image">
      <img
        src={url}
        alt={alt}
        dir="auto"
        width={width ?? undefined}
        height={height ?? undefined}
        loading="lazy"
        decoding="async"
      />
    </figure>
  );
}

/** A file in a lesson: sound and videos play, PDFs open, and others are downloaded. */
export function LessonFile({ file, files }: { file: ShownFile; files: ShownFiles }) {
  const { i18n, t } = useLingui();
  const { name, url, content_type: contentType, size } = file;
  const group = groupOf(contentType);
  // They are shown with their video.
  if (group === 'captions' && [...files.values()].some((other) => isCaptionOf(file, other))) {
    return null;
  }
  const opens = contentType === 'application/pdf';
  return (
    <figure className="lesson-file" data-group={group}>
      {group === 'video' && (
        // biome-ignore lint/a11y/useMediaCaption: it has them if the instructor has added some.
        <video src={url} controls preload="metadata" playsInline aria-label={name}>
          <Captions of={file} files={files} />
        </video>
      )}
      {group === 'audio' && (
        // biome-ignore lint/a11y/useMediaCaption: sound has no picture to show them on.
        <audio src={url} controls preload="metadata" aria-label={name} />
      )}
      <figcaption className="file-foot">
        <span className="icon icon-file" />
        <span>
          <strong dir="auto">{name}</strong>
          <small>{sizeWords(size, i18n.locale)}</small>
        </span>
        <a
          href={url}
          {...(opens ? { target: '_blank', rel: 'noopener' } : { download: name })}
          className="button button-quiet"
          aria-label={opens ? t`Open ${name}` : t`Download ${name}`}
        >
          {opens ? t`Open` : t`Download`}
        </a>
      </figcaption>
    </figure>
  );
}

/** The captions of a video: the file of the same name that ends in `.vtt`. */
function Captions({ of: video, files }: { of: ShownFile; files: ShownFiles }) {
  const { t } = useLingui();
  const captions = [...files.values()].find((file) => isCaptionOf(file, video));
  return captions && <track kind="captions" src={captions.url} label={t`Captions`} default />;
}

function isCaptionOf(file: ShownFile, video: ShownFile): boolean {
  return (
    groupOf(file.content_type) === 'captions' &&
    groupOf(video.content_type) === 'video' &&
    stemOf(file) === stemOf(video)
  );
}
