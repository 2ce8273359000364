'use client';

import { useContext } from 'react';
import { FormContext } from '#ui/form.tsx';
import { useInBrowser } from '#ui/use-in-browser.ts';
import { Select } from './fields.tsx';

type CurrencySelectProps = {
  /** As `EUR=Euro|USD=US Dollar`: of a hundred, no tags. The first of the likely ones is proposed. */
  likely: string;
  others: string;
  texts: Record<'label' | 'likely' | 'others', string>;
};

/**
 * The currencies of the world, the likely ones first. The others are listed once the scripts run,
 * without which no form is sent, so that a document does not contain them all.
 */
export function CurrencySelect({ likely, others, texts }: CurrencySelectProps) {
  const isInBrowser = useInBrowser(() => true, false);
  const { sentValue } = useContext(FormContext);
  const [first = ''] = likely.split('=');
  const listed = likely.split('|').some((text) => text.startsWith(`${sentValue('currency')}=`));
  return (
    <Select
      // Begins again when all are listed, for the one that was sent.
      key={String(isInBrowser && !listed)}
      name="currency"
      label={texts.label}
      defaultValue={sentValue('currency') || first}
    >
      <optgroup label={texts.likely}>{optionsOf(likely)}</optgroup>
      {isInBrowser && <optgroup label={texts.others}>{optionsOf(others)}</optgroup>}
    </Select>
  );
}

function optionsOf(currencies: string) {
  return currencies.split('|').map((text) => {
    const [code = '', name] = text.split('=');
    return (
      <option key={code} value={code}>
        {code} · {name}
      </option>
    );
  });
}
