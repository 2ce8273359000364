'use client';

import { useContext, useRef, useState } from 'react';
import { Select } from '#features/cohorts/fields.tsx';
import type { Encoding, GuessedEncoding } from '#lib/decode-text.ts';
import { FieldMessage, FormContext } from '#ui/form.tsx';
import { decodeFile } from './decode-file.ts';
import type { ImportTexts } from './import-page.tsx';
import type { ImportResult } from './schema.ts';

/** A list of people from a file, whose text comes into the field for pasted lines. */
export function ListFile({ texts }: { texts: ImportTexts }) {
  const ref = useRef<HTMLDivElement>(null);
  const [reading, setReading] = useState<{ file: File; encoding: Encoding } | null>(null);
  const [error, setError] = useState<string>();

  async function read(file: File | undefined, chosen?: GuessedEncoding): Promise<void> {
    const area = ref.current?.parentElement?.querySelector('textarea');
    if (file === undefined || !area) {
      return;
    }
    const decoded = await decodeFile(file, chosen);
    if (decoded.kind !== 'text') {
      setReading(null);
      setError(decoded.kind === 'too_large' ? texts.tooLarge : texts.notText);
      return;
    }
    setReading({ file, encoding: decoded.encoding });
    setError(undefined);
    area.value = decoded.text;
    area.dispatchEvent(new Event('input', { bubbles: true }));
  }

  return (
    <div ref={ref} className="field mb-6">
      <label htmlFor="list-file" className="label">
        {texts.file}
      </label>
      <input
        id="list-file"
        type="file"
        accept=".csv,.tsv,.txt,text/csv,text/plain"
        className="input"
        aria-invalid={error !== undefined}
        aria-describedby="list-file-hint list-file-error"
        onChange={({ currentTarget }) => void read(currentTarget.files?.[0])}
      />
      <p id="list-file-hint" className="hint" role="status">
        {reading === null ? texts.fileHint : texts.readAs[reading.encoding]}
      </p>
      <div role="alert">
        <FieldMessage id="list-file-error" error={error} />
      </div>
      {reading !== null && reading.encoding in texts.encodings && (
        <select
          aria-label={texts.encoding}
          className="input mt-2 w-auto justify-self-start"
          value={reading.encoding}
          onChange={({ currentTarget }) =>
            void read(reading.file, currentTarget.value as GuessedEncoding)
          }
        >
          <Options of={texts.encodings} />
        </select>
      )}
    </div>
  );
}

function Options({ of }: { of: Record<string, string> }) {
  return Object.entries(of).map(([value, name]) => (
    <option key={value} value={value}>
      {name}
    </option>
  ));
}

type ColumnFieldsProps = { columns: NonNullable<ImportResult['columns']>; texts: ImportTexts };

export function columnField(index: number): string {
  return `column-${index}`;
}

/** Asks which column is what, each named by what stands in it; folded where that is clear. */
export function ColumnFields({ columns, texts }: ColumnFieldsProps) {
  const { errorOf } = useContext(FormContext);
  return (
    <details open={!columns.is_clear}>
      <summary className="cursor-pointer font-medium">{texts.columns}</summary>
      <FieldMessage id="columns-error" error={errorOf('columns')} />
      <div className="mt-4 grid gap-4">
        {columns.kinds.map((kind, index) => (
          <Select
            // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other name.
            key={index}
            name={columnField(index)}
            label={<bdi>{sampleOf(columns.sample, index) || String(index + 1)}</bdi>}
            defaultValue={kind}
          >
            <Options of={texts.columnNames} />
          </Select>
        ))}
      </div>
    </details>
  );
}

function sampleOf(sample: string[][], index: number): string {
  return sample
    .map((cells) => cells[index] ?? '')
    .filter((cell) => cell !== '')
    .join(' · ');
}
