'use client';

import { useContext, useRef, useState } from 'react';
import { Select } from '#features/cohorts/fields.tsx';
import { FieldMessage, FormContext } from '#ui/form.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { decodeFile } from './decode-file.ts';
import type { ImportTexts } from './import-page.tsx';
import type { ImportResult } from './schema.ts';

/** A list of people: a file, whose text comes into the field below, or pasted lines. */
export function ListFields({ texts }: { texts: ImportTexts }) {
  const ref = useRef<HTMLDivElement>(null);
  const [outcome, setOutcome] = useState<{ error?: string; note?: string }>({});

  async function read(file: File | undefined): Promise<void> {
    const area = ref.current?.querySelector('textarea');
    if (file === undefined || !area) {
      return;
    }
    const decoded = await decodeFile(file);
    if (decoded.kind !== 'text') {
      setOutcome({ error: decoded.kind === 'too_large' ? texts.tooLarge : texts.notText });
      return;
    }
    setOutcome({ note: texts.readAs[decoded.encoding] });
    area.value = decoded.text;
    area.dispatchEvent(new Event('input', { bubbles: true }));
  }

  return (
    <div ref={ref} className="fields">
      <div className="field">
        <label htmlFor="list-file" className="label">
          {texts.file}
        </label>
        <input
          id="list-file"
          type="file"
          accept=".csv,.tsv,.txt,text/csv,text/plain"
          className="input"
          aria-invalid={outcome.error !== undefined}
          aria-describedby="list-file-hint list-file-error"
          onChange={({ currentTarget }) => void read(currentTarget.files?.[0])}
        />
        <p id="list-file-hint" className="hint" role="status">
          {outcome.note ?? texts.fileHint}
        </p>
        <div role="alert">
          <FieldMessage id="list-file-error" error={outcome.error} />
        </div>
      </div>
      <TextArea
        name="text"
        label={texts.text}
        hint={texts.textHint}
        rows={8}
        dir="auto"
        autoComplete="off"
        spellCheck={false}
        required
        data-sentry-mask
      />
    </div>
  );
}

type ColumnFieldsProps = { columns: NonNullable<ImportResult['columns']>; texts: ImportTexts };

export function columnField(index: number): string {
  return `column-${index}`;
}

/** Asks which column is what, each named by what stands in it. */
export function ColumnFields({ columns, texts }: ColumnFieldsProps) {
  const { errorOf } = useContext(FormContext);
  return (
    <fieldset className="field">
      <legend className="label">{texts.columns}</legend>
      <FieldMessage id="columns-error" error={errorOf('columns')} />
      <div className="grid gap-4">
        {columns.kinds.map((kind, index) => (
          <Select
            // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other name.
            key={index}
            name={columnField(index)}
            label={<bdi>{sampleOf(columns.sample, index) || String(index + 1)}</bdi>}
            defaultValue={kind}
          >
            {Object.entries(texts.columnNames).map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </Select>
        ))}
      </div>
    </fieldset>
  );
}

function sampleOf(sample: string[][], index: number): string {
  return sample
    .map((cells) => cells[index] ?? '')
    .filter((cell) => cell !== '')
    .join(' · ');
}

/** The box by which the owner says that people know about it. */
export function InformedBox({ label }: { label: string }) {
  const { errorOf, sentValue } = useContext(FormContext);
  const error = errorOf('informed');
  return (
    <div className="check">
      <input
        id="informed"
        type="checkbox"
        name="informed"
        value="on"
        aria-invalid={error !== undefined}
        aria-describedby="informed-error"
        defaultChecked={sentValue('informed') === 'on'}
      />
      <label htmlFor="informed">{label}</label>
      <FieldMessage id="informed-error" error={error} />
    </div>
  );
}
