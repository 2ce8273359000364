import { useLingui } from '@lingui/react/macro';
import type { CourseHue } from '#db/values.ts';
import type { ShownFiles } from '#features/files/shown-file.ts';
import { LessonFile, LessonImage } from './lesson-file.tsx';
import { partsOf, type ReadingPart } from './render-document.ts';
import { VideoPlayer } from './video-player.tsx';
import { videoOf } from './videos.ts';

type LessonTextProps = {
  html: string;
  hue: CourseHue;
  /** The files that it has; what is not there anymore is left out. */
  files: ShownFiles;
  /** Where another lesson is, by what links call it; without it, its links lead nowhere. */
  lessonPath?: ((key: string) => string) | undefined;
};

/** The text of a lesson, as `renderDocument` has written it, with its videos, images and files. */
export function LessonText({ html, hue, files, lessonPath }: LessonTextProps) {
  return (
    <div className="reading">
      {partsOf(withPaths(html, lessonPath)).map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts never change places.
        <Part key={at} part={part} hue={hue} files={files} />
      ))}
    </div>
  );
}

/** No text can look like such a link, because it is escaped. */
function withPaths(html: string, pathOf: LessonTextProps['lessonPath']): string {
  return html.replace(/<a href="lesson:([0-9a-f-]{36})">/g, (_, key: string) =>
    pathOf === undefined ? '<a>' : `<a href="${pathOf(key)}">`,
  );
}

type PartProps = Omit<LessonTextProps, 'html' | 'lessonPath'> & { part: ReadingPart };

function Part({ part, hue, files }: PartProps) {
  if ('html' in part) {
    // biome-ignore lint/security/noDangerouslySetInnerHtml: all text in the HTML is escaped.
    return <div dangerouslySetInnerHTML={{ __html: part.html }} />;
  }
  if (part.kind === 'video') {
    return <VideoCard address={part.address} title={part.title} hue={hue} />;
  }
  const file = files.get(part.file);
  if (file === undefined) {
    return null;
  }
  return part.kind === 'image' ? (
    <LessonImage file={file} alt={part.alt} />
  ) : (
    <LessonFile file={file} files={files} />
  );
}

type VideoCardProps = { address: string; title: string; hue: CourseHue };

/** A video elsewhere, of which nothing is loaded before it is played. */
function VideoCard({ address, title, hue }: VideoCardProps) {
  const { t } = useLingui();
  const video = videoOf(address);
  if (video === null) {
    return null;
  }
  const { provider } = video;
  const name = title === '' ? t`Video on ${provider}` : title;
  return (
    <figure className="video-card">
      <VideoPlayer player={video.player} title={name} label={t`Play: ${name}`} hue={hue}>
        <p dir="auto">{title}</p>
      </VideoPlayer>
      <figcaption className="video-foot">
        <span className="grid flex-[1_1_12rem]">
          <strong>{t`Video on ${provider}`}</strong>
          <small className="text-sm text-muted">{t`Playing it sends data to ${provider}.`}</small>
        </span>
        <a href={video.address} rel="noopener noreferrer">
          {t`Open at ${provider}`}
        </a>
      </figcaption>
    </figure>
  );
}
