import { useLingui } from '@lingui/react/macro';
import type { CourseHue } from '#db/values.ts';
import { partsOf } from './render-document.ts';
import { VideoPlayer } from './video-player.tsx';
import { videoOf } from './videos.ts';

type LessonTextProps = { html: string; hue: CourseHue };

/** The text of a lesson, as `renderDocument` has written it, and its videos. */
export function LessonText({ html, hue }: LessonTextProps) {
  return (
    <div className="reading">
      {partsOf(html).map((part, at) =>
        'html' in part ? (
          // biome-ignore lint/suspicious/noArrayIndexKey lint/security/noDangerouslySetInnerHtml: parts never move; all text in the HTML is escaped.
          <div key={at} dangerouslySetInnerHTML={{ __html: part.html }} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts never change places.
          <VideoCard key={at} address={part.video} title={part.title} hue={hue} />
        ),
      )}
    </div>
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
        <span className="video-words">
          <strong>{t`Video on ${provider}`}</strong>
          <small>{t`Playing it sends data to ${provider}.`}</small>
        </span>
        <a href={video.address} rel="noopener noreferrer">
          {t`Open at ${provider}`}
        </a>
      </figcaption>
    </figure>
  );
}
