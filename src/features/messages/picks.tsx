'use client';

import { useContext } from 'react';
import { FormContext } from '#ui/form.tsx';

type PicksProps = {
  legend: string;
  name: string;
  options: { value: string; label: string; count: number }[];
  defaultValue: string;
};

/** A choice of one of several in a line, each with a number. */
export function Picks({ legend, name, options, defaultValue }: PicksProps) {
  const { sentValue } = useContext(FormContext);
  const chosen = sentValue(name) ?? defaultValue;
  return (
    <fieldset className="field">
      <legend className="label">{legend}</legend>
      <div className="flex flex-wrap gap-2">
        {options.map(({ value, label, count }) => (
          <label key={value} className="pick">
            <input
              type="radio"
              name={name}
              value={value}
              className="sr-only"
              defaultChecked={chosen === value}
            />
            <span className="icon icon-check" />
            <span>{label}</span>
            <small>{count}</small>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
