'use client';

import { type ReactNode, useActionState } from 'react';

type VideoPlayerProps = {
  /** The address that plays it. */
  player: string;
  title: string;
  /** Of the button. */
  label: string;
  hue: string;
  /** What is on the cover. */
  children: ReactNode;
};

/** The cover of a video. A press puts the player over it: before, nothing is loaded. */
export function VideoPlayer({ player, title, label, hue, children }: VideoPlayerProps) {
  // A form, because React replays submits from before hydration.
  const [isPlaying, play] = useActionState(() => true, false);
  return (
    <div className="cover video-cover" data-hue={hue}>
      {children}
      {isPlaying ? (
        <iframe
          ref={takeFocus}
          src={player}
          title={title}
          allow="fullscreen; autoplay; picture-in-picture"
          referrerPolicy="strict-origin-when-cross-origin"
        />
      ) : (
        <form action={play} className="noscript:hidden">
          <button type="submit" className="video-sign" aria-label={label} />
        </form>
      )}
    </div>
  );
}

/** The button that had it is gone. */
function takeFocus(frame: HTMLIFrameElement | null): void {
  frame?.focus();
}
