'use client';

import { useEffect, useState } from 'react';
import { forgetText, type KeptText, keptTexts } from '#client/kept-texts.ts';
import type { Content } from './draft-saver.ts';

export type KeptTextsTexts = {
  /** With `{when}` and `{words}`; `unsaved` where the server's text is newer. */
  newer: string;
  unsaved: string;
  use: string;
  discard: string;
};

type Kept = KeptText<Content> & { key: string };

type KeptTextsProps = {
  lesson: Content & { id: string; saved_at: string };
  viewerId: string;
  locale: string;
  texts: KeptTextsTexts;
  /** Whether the editor can take a text. */
  isReady: boolean;
  onUse: (kept: KeptText<Content>) => void;
};

/** Offers what this browser has kept of a lesson because the server did not get it. */
export function KeptTexts({ lesson, viewerId, locale, texts, isReady, onUse }: KeptTextsProps) {
  const [kept, setKept] = useState<Kept[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is kept from now on is of this page.
  useEffect(() => {
    const all = keptTexts<Content>(viewerId, lesson.id);
    const isStored = ({ content }: Kept) =>
      content.title.trim() === lesson.title &&
      JSON.stringify(content.document) === JSON.stringify(lesson.document);
    for (const { key } of all.filter(isStored)) {
      // The answer was lost, and not the text.
      forgetText(key);
    }
    setKept(all.filter((one) => !isStored(one)));
  }, [lesson.id, viewerId]);

  const [first, ...others] = kept;
  if (first === undefined) {
    return null;
  }
  const isNewer = first.at > Date.parse(lesson.saved_at);
  const text = (isNewer ? texts.newer : texts.unsaved)
    .replace('{when}', momentOf(new Date(first.at), locale))
    .replace('{words}', first.words.toLocaleString(locale));
  const settle = () => {
    forgetText(first.key);
    setKept(others);
  };
  return (
    <div className="kept-text my-3 flex min-h-10 flex-wrap items-center gap-x-4 gap-y-1 rounded-control bg-wash px-3.5 py-2 text-sm/5">
      <p role="status" className="flex-[1_1_18rem]">
        {text}
      </p>
      <button
        type="button"
        className="link min-h-6 font-semibold pointer-coarse:min-h-11"
        disabled={!isReady}
        onClick={() => {
          onUse(first);
          settle();
        }}
      >
        {texts.use}
      </button>
      <button
        type="button"
        className="link min-h-6 font-semibold pointer-coarse:min-h-11"
        onClick={settle}
      >
        {texts.discard}
      </button>
    </div>
  );
}

/** The time, with the day unless that is today. */
function momentOf(at: Date, locale: string): string {
  return at.toDateString() === new Date().toDateString()
    ? at.toLocaleTimeString(locale, { timeStyle: 'short' })
    : at.toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' });
}
