'use client';

import { useEffect, useRef, useState } from 'react';
import { useInBrowser } from '#ui/use-in-browser.ts';
import type { SaveState } from './draft-saver.ts';

export type SaveLineTexts = {
  saving: string;
  /** With `{time}`, or `{day}` for one before today. */
  savedAt: string;
  savedOn: string;
  offline: string;
  signedOut: string;
  /** Added where this browser keeps the text, or can't. */
  kept: string;
  unkept: string;
  conflict: string;
  choose: string;
  /** With `{reason}`. */
  refused: string;
  failed: string;
  retry: string;
  logIn: string;
};

type SaveLineProps = {
  state: SaveState;
  locale: string;
  texts: SaveLineTexts;
  /** What the button of a warning does: shows the question, or tries again. */
  onHelp: () => void;
};

/** Whether the text is saved. Screen readers hear only of trouble, and of its end. */
export function SaveLine({ state, locale, texts, onHelp }: SaveLineProps) {
  const text = useInBrowser(() => textOf(state, locale, texts), '');
  const isCalm = state.kind === 'saved' || state.kind === 'saving';
  const isRefused = state.kind === 'refused';
  const help = {
    conflict: texts.choose,
    'signed-out': texts.logIn,
    offline: texts.retry,
    failed: texts.retry,
  }[state.kind as string];
  return (
    <>
      <p className="save-line" data-kind={isCalm ? 'calm' : isRefused ? 'danger' : 'warn'}>
        {state.kind === 'saved' && text !== '' && <span className="icon icon-check size-4" />}
        <span>{text}</span>
        {help && (
          <button type="button" className="link text-inherit" onClick={onHelp}>
            {help}
          </button>
        )}
      </p>
      <Announcement kind={state.kind} text={text} isCalm={isCalm} />
    </>
  );
}

type AnnouncementProps = { kind: string; text: string; isCalm: boolean };

function Announcement({ kind, text, isCalm }: AnnouncementProps) {
  const [said, setSaid] = useState('');
  const wasCalm = useRef(true);
  useEffect(() => {
    if (!isCalm) {
      wasCalm.current = false;
      setSaid(text);
    } else if (kind === 'saved' && !wasCalm.current) {
      wasCalm.current = true;
      setSaid(text);
    }
  }, [isCalm, kind, text]);
  return (
    <span role="status" className="sr-only">
      {said}
    </span>
  );
}

/** What the line says. */
export function textOf(state: SaveState, locale: string, texts: SaveLineTexts): string {
  const kept = (isKept: boolean) => (isKept ? texts.kept : texts.unkept);
  switch (state.kind) {
    case 'saving':
      return texts.saving;
    case 'saved':
      return savedText(new Date(state.at), locale, texts);
    case 'offline':
      return `${texts.offline} ${kept(state.isKept)}`;
    case 'signed-out':
      return `${texts.signedOut} ${kept(state.isKept)}`;
    case 'conflict':
      return texts.conflict;
    case 'refused':
      return `${refusalOf(state.message, texts)} ${kept(state.isKept)}`;
    case 'failed':
      return texts.failed.replace('{reason}', () => state.message);
  }
}

/** Most messages of fields are no whole sentences. */
function refusalOf(message: string, { refused }: SaveLineTexts): string {
  return refused.replace('{reason}', () => (message.endsWith('.') ? message : `${message}.`));
}

function savedText(at: Date, locale: string, texts: SaveLineTexts): string {
  return at.toDateString() === new Date().toDateString()
    ? texts.savedAt.replace('{time}', at.toLocaleTimeString(locale, { timeStyle: 'short' }))
    : texts.savedOn.replace('{day}', at.toLocaleDateString(locale, { dateStyle: 'long' }));
}
