'use client';

import { useLayoutEffect, useRef, useState } from 'react';
import { blockTexts, countWords } from '#features/documents/document-text.ts';
import { type Change, diff, diffBlocks, wordsOf } from './diff.ts';
import type { Content, OtherDraft } from './draft-saver.ts';

export type ConflictTexts = {
  title: string;
  about: string;
  mine: string;
  theirs: string;
  /** With `{time}` and `{words}`. */
  typedAt: string;
  savedAt: string;
  /** Where only the looks differ, or where one of them has nothing. */
  sameWords: string;
  nothing: string;
  keepMine: string;
  takeTheirs: string;
  copyMine: string;
  copied: string;
};

export type Question = { mine: Content; at: number; theirs: OtherDraft };

type ConflictDialogProps = {
  /** Each new one opens the dialog. */
  question: Question;
  locale: string;
  texts: ConflictTexts;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
};

/**
 * Asks which of two texts is continued with, and shows both at the first place where they differ.
 * Closed without an answer, the question stays open: the line above the text says so.
 */
export function ConflictDialog({ question, locale, texts, ...on }: ConflictDialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const keepRef = useRef<HTMLButtonElement>(null);
  const [isCopied, setIsCopied] = useState(false);
  useLayoutEffect(() => {
    setIsCopied(false);
    if (question && ref.current?.open === false) {
      ref.current.showModal();
      keepRef.current?.focus();
    }
  }, [question]);

  const { mine, at, theirs } = question;
  const place = firstDifference(mine, theirs);
  const fill = (text: string, time: Date, { document }: Content) =>
    text
      .replace('{time}', time.toLocaleTimeString(locale, { timeStyle: 'short' }))
      .replace('{words}', countWords(document).toLocaleString(locale));
  const answer = (act: () => void) => () => {
    ref.current?.close();
    act();
  };

  async function copy(): Promise<void> {
    const text = [mine.title, ...blockTexts(mine.document)].join('\n\n');
    try {
      await window.navigator.clipboard.writeText(text);
      setIsCopied(true);
    } catch {
      // Not allowed here. The text stays in the editor and in the versions.
      setIsCopied(false);
    }
  }

  return (
    <dialog
      ref={ref}
      className="dialog conflict w-[min(45rem,100vw-2rem)]"
      aria-labelledby="conflict-title"
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keys */}
      <div className="dialog-body" tabIndex={0}>
        <h2 id="conflict-title">{texts.title}</h2>
        <p className="text-muted">{texts.about}</p>
        <div className="conflict-texts grid gap-4 md:grid-cols-2">
          <section aria-labelledby="conflict-mine">
            <h3 id="conflict-mine">{texts.mine}</h3>
            <p className="hint mt-0 mb-3">{fill(texts.typedAt, new Date(at), mine)}</p>
            <Words changes={place} side="removed" texts={texts} />
          </section>
          <section aria-labelledby="conflict-theirs">
            <h3 id="conflict-theirs">{texts.theirs}</h3>
            <p className="hint mt-0 mb-3">
              {fill(texts.savedAt, new Date(theirs.saved_at), theirs)}
            </p>
            <Words changes={place} side="added" texts={texts} />
          </section>
        </div>
      </div>
      <div className="dialog-foot">
        <button type="button" className="button button-quiet me-auto" onClick={copy}>
          <span className={`icon ${isCopied ? 'icon-check' : 'icon-copy'}`} />
          <span role="status">{isCopied ? texts.copied : texts.copyMine}</span>
        </button>
        <button type="button" className="button" onClick={answer(on.onTakeTheirs)}>
          {texts.takeTheirs}
        </button>
        <button
          ref={keepRef}
          type="button"
          className="button button-primary"
          onClick={answer(on.onKeepMine)}
        >
          {texts.keepMine}
        </button>
      </div>
    </dialog>
  );
}

type WordsProps = {
  changes: Change[] | null;
  side: 'removed' | 'added';
  texts: Pick<ConflictTexts, 'sameWords' | 'nothing'>;
};

/** One of the two texts, with the words marked that the other one doesn't have. */
function Words({ changes, side, texts }: WordsProps) {
  const own = changes?.filter(({ kind }) => kind === 'same' || kind === side) ?? [];
  if (own.length === 0) {
    return <p className="text-muted">{changes === null ? texts.sameWords : texts.nothing}</p>;
  }
  return (
    <p className="max-h-56 overflow-y-auto text-[0.9375rem]/6 whitespace-pre-line" dir="auto">
      {own.map(({ kind, text }, at) =>
        kind === 'same' ? (
          text
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the words of a text have no other key.
          <mark key={at}>{text}</mark>
        ),
      )}
    </p>
  );
}

/** The words of the first block that differs; null if all blocks have the same words. */
function firstDifference(mine: Content, theirs: Content): Change[] | null {
  const blocksOf = ({ title, document }: Content) => [title, ...blockTexts(document)];
  const pair = diffBlocks(blocksOf(mine), blocksOf(theirs)).find(
    ({ before, after }) => before !== after,
  );
  return pair === undefined ? null : diff(wordsOf(pair.before ?? ''), wordsOf(pair.after ?? ''));
}
