'use client';

import { type ReactNode, useActionState } from 'react';

type VideoPlayerProps = {
  /** The address that plays it. */
  player: string;
  title: string;
  label: string;
  hue: string;
  /** The cover. */
  children: ReactNode;
};

/** The cover of a video. A click puts the player in its place: before it, nothing is loaded. */
export function VideoPlayer({ player, title, label, hue, children }: VideoPlayerProps) {
  // A form, because React replays submits from before hydration.
  const [isPlaying, play] = useActionState(() => true, false);
  return isPlaying ? (
    <iframe
      ref={takeFocus}
      className="video-box"
      src={player}
      title={title}
      allow="fullscreen; autoplay; picture-in-picture"
      allowFullScreen
      referrerPolicy="strict-origin-when-cross-origin"
    />
  ) : (
    <form action={play}>
      <button type="submit" className="cover video-box" data-hue={hue} aria-label={label}>
        {children}
      </button>
    </form>
  );
}

/** The button that had it is gone. */
function takeFocus(frame: HTMLIFrameElement | null): void {
  frame?.focus();
}
