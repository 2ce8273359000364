'use client';

import { type ReactNode, useState } from 'react';
import { saveFile } from '#ui/save-export.ts';
import type { ImportTexts } from './import-page.tsx';
import type { ImportResult } from './schema.ts';

const shownAtFirst = 100;

const cell = 'border-line border-b py-2 pe-4 text-start align-top wrap-anywhere';
const looks = { cell, head: `${cell} wrap-normal font-normal text-[0.875rem] text-muted` };

type ImportLinesProps = {
  result: ImportResult;
  texts: ImportTexts;
  /** What can be done about it, after what it is in all. */
  children: ReactNode;
};

/** What a list does or has done: in all, and line by line. */
export function ImportLines({ result, texts, children }: ImportLinesProps) {
  const [isWhole, setIsWhole] = useState(false);
  const { lines, summary, faulty_lines: faulty } = result;
  const shown = isWhole ? lines : lines.slice(0, shownAtFirst);
  return (
    <>
      <ul id="import-summary" className="grid gap-1">
        {summary.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {children}
      {faulty !== null && (
        <div className="actions">
          <button
            type="button"
            className="button"
            onClick={() => saveFile(faulty, 'text/csv', texts.fileName)}
          >
            {texts.download}
          </button>
        </div>
      )}
      {lines.length > 0 && (
        <table className="import-lines w-full text-[0.9375rem]">
          <caption className="sr-only">{texts.caption}</caption>
          <thead>
            <tr>
              <th scope="col" className={looks.head}>
                {texts.line}
              </th>
              <th scope="col" className={looks.head}>
                {texts.person}
              </th>
              <th scope="col" className={looks.head}>
                {texts.what}
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ line, name, email, status, message }) => (
              <tr key={line} data-changed={status !== null || undefined}>
                <td className={looks.head}>{line}</td>
                <td className={looks.cell}>
                  <bdi className="block">{name}</bdi> <span className="text-muted">{email}</span>
                </td>
                <td className={looks.cell}>{message}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {shown.length < lines.length && (
        <div>
          <button type="button" className="button" onClick={() => setIsWhole(true)}>
            {texts.all}
          </button>
        </div>
      )}
    </>
  );
}
