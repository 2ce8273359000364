'use client';

import { useContext } from 'react';
import { currencyOfZone } from '#lib/currencies.ts';
import { FormContext } from '#ui/form.tsx';
import { useInBrowser } from '#ui/use-in-browser.ts';
import { Select } from './fields.tsx';
import { browserZone } from './zone-select.tsx';

type CurrencySelectProps = {
  /** As `EUR=Euro|USD=US Dollar`: of a hundred, no tags. The first of the likely ones is proposed. */
  likely: string;
  others: string;
  /** Whether to propose the currency of the browser's time zone: nothing is known of the viewer. */
  isUnknown: boolean;
  texts: Record<'label' | 'likely' | 'others', string>;
};

/**
 * The currencies of the world, the likely ones first. The others are listed once the scripts run,
 * without which no form is sent, so that a document does not contain them all.
 */
export function CurrencySelect({ isUnknown, texts, ...lists }: CurrencySelectProps) {
  const isInBrowser = useInBrowser(() => true, false);
  const ofZone = useInBrowser(() => isUnknown && currencyOfZone(browserZone()), null);
  const { sentValue } = useContext(FormContext);
  const [before, after] = [lists.likely.split('|'), lists.others.split('|')];
  const own = [...before, ...after].find((text) => text.startsWith(`${ofZone}=`));
  const likely = own === undefined ? before : [own, ...before.filter((text) => text !== own)];
  const others = after.filter((text) => text !== own);
  const [first = ''] = likely[0]?.split('=') ?? [];
  const listed = likely.some((text) => text.startsWith(`${sentValue('currency')}=`));
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

function optionsOf(currencies: string[]) {
  return currencies.map((text) => {
    const [code = '', name] = text.split('=');
    return (
      <option key={code} value={code}>
        {code} · {name}
      </option>
    );
  });
}
