'use client';

import { type ReactNode, useContext, useEffect, useState } from 'react';
import { ApiForm, type FormErrors, type Values } from '#client/api-form.tsx';
import type { ApiPath } from '#client/api-routes.ts';
import { type ChangeOwner, markChanges } from '#client/unsaved.ts';
import { useFinish } from '#client/use-finish.ts';
import type { FormMessages } from '#i18n/validation.ts';
import { FormContext, SubmitButton } from '#ui/form.tsx';
import { useTyped } from '#ui/use-typed.ts';

type SaveTexts = { save: string; saving: string; unsaved: string; saved: string };

type SaveFormProps = {
  kind: ChangeOwner;
  path: ApiPath<'PATCH'>;
  /** Checks what was typed by the schema of the route. */
  check: (input: Record<string, unknown>) => Promise<FormErrors>;
  messages: FormMessages;
  /** What is stored, by the names of the fields, which hold it at first. */
  stored: Record<string, string>;
  texts: SaveTexts;
  /** Makes the input of the API of what was typed; by default, it is the same. */
  toInput?: (values: Values, differs: (name: string) => boolean) => Record<string, unknown>;
  /** Codes of failures that are shown above the fields. */
  refusals?: readonly string[];
  /** What takes the place of the button, where a form is longer than the window. */
  foot?: (isSaved: IsSaved) => ReactNode;
  children: ReactNode;
};

/** Whether a field holds what is stored, by its name and what was typed. */
export type IsSaved = (name: string, typed?: string) => boolean;

/** Changes an account, course, cohort or person. Its button waits for something to differ. */
export function SaveForm(props: SaveFormProps) {
  const { kind, path, check, messages, stored, texts, toInput, refusals, children } = props;
  const finish = useFinish();
  const content = JSON.stringify(stored);
  // What was just saved counts even if the page could not be read again.
  const [saved, setSaved] = useState<Record<string, unknown>>(stored);
  useEffect(() => setSaved(JSON.parse(content)), [content]);
  const isSaved: IsSaved = (name, typed = '') => asStored(typed) === saved[name];
  const inputOf = (values: Values) =>
    toInput?.(values, (name) => !isSaved(name, values[name])) ?? values;
  return (
    <ApiForm
      path={path}
      method="PATCH"
      messages={messages}
      check={(values) => check(inputOf(values))}
      initialValues={stored}
      {...(toInput && { toInput: inputOf })}
      {...(refusals && { refusals })}
      onDone={async (changed, values) => {
        const typed = Object.entries(values).map(([name, value]) => [name, asStored(value)]);
        setSaved(toInput ? { ...saved, ...Object.fromEntries(typed) } : inFields({ ...changed }));
        await finish(texts.saved);
      }}
    >
      {children}
      {props.foot?.(isSaved) ?? (
        <SaveFoot
          kind={kind}
          texts={texts}
          isStored={(read) => Object.keys(stored).every((name) => isSaved(name, read(name)))}
        />
      )}
    </ApiForm>
  );
}

type SaveFootProps = {
  kind: ChangeOwner;
  texts: SaveTexts;
  isStored: (read: (name: string) => string) => boolean;
};

function SaveFoot({ kind, texts, isStored }: SaveFootProps) {
  const { isPending } = useContext(FormContext);
  // Before hydration the browser may have restored what was typed: nothing is known, so the button
  // works.
  const [isChanged, setIsChanged] = useState<boolean | null>(null);
  const ref = useTyped((read) => {
    const differs = !isStored(read);
    setIsChanged(differs);
    markChanges(ref.current, differs ? kind : null);
  });
  return (
    <div ref={ref} className="actions">
      <SubmitButton
        label={texts.save}
        pendingLabel={texts.saving}
        className={isChanged || isPending ? 'button button-primary' : 'button'}
        isDisabled={isChanged === false}
      />
      <span role="status" className="labels text-sm text-muted">
        {/* Keeps the room for the text. */}
        <span data-away aria-hidden="true">
          {texts.unsaved}
        </span>
        {isChanged && <span>{texts.unsaved}</span>}
      </span>
    </div>
  );
}

/** What was left empty is null in the API. */
function inFields(stored: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(stored).map(([name, value]) => [name, value ?? '']));
}

/** As the schemas normalize names. */
function asStored(typed: string): string {
  return typed.trim().normalize('NFC');
}
