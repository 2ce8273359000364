'use client';

import { type ReactNode, useContext } from 'react';
import { FieldFrame, FormContext, Hint, useControl } from '#ui/form.tsx';

/** What a box to check sends. */
const [on, off] = ['on', 'off'];

type FieldBase = { id?: string; name: string; label: ReactNode; hint?: ReactNode };

type SelectProps = FieldBase & { defaultValue?: string; children: ReactNode };

/** A native select. */
export function Select({ label, hint, id, name, defaultValue, children }: SelectProps) {
  const control = useControl({ id, name, hint, defaultValue });
  return (
    <FieldFrame control={control} label={label} hint={hint}>
      <select
        // A select that is reset forgets what was chosen.
        key={control.defaultValue}
        {...control}
      >
        {children}
      </select>
    </FieldFrame>
  );
}

type CheckProps = FieldBase & {
  defaultChecked?: boolean;
  /** The words for both states of a switch, for what is on or off from now on. */
  states?: { on: string; off: string };
};

/** A box to check. The form sends that it is not checked, too. */
export function Check({ label, hint, id, name, defaultChecked, states }: CheckProps) {
  const { sentValue } = useContext(FormContext);
  const fieldId = id ?? name;
  const sent = sentValue(name);
  return (
    <div className={states ? 'check check-switch' : 'check'}>
      <input type="hidden" name={name} value={off} />
      <input
        id={fieldId}
        type="checkbox"
        name={name}
        value={on}
        aria-describedby={hint ? `${fieldId}-hint` : undefined}
        defaultChecked={sent === undefined ? defaultChecked : sent === on}
        {...(states && { role: 'switch', className: 'switch' })}
      />
      <label htmlFor={fieldId}>{label}</label>
      {states && (
        <span className="switch-states" aria-hidden="true">
          <span>{states.on}</span>
          <span>{states.off}</span>
        </span>
      )}
      <Hint id={fieldId}>{hint}</Hint>
    </div>
  );
}
