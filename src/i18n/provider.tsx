'use client';

import { type Messages, setupI18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { type ReactNode, useMemo } from 'react';
import type { Locale } from '#db/values.ts';

type TextsProps = { locale: Locale; messages: Messages; children: ReactNode };

/** Gives the islands below it their texts. A change of language changes the texts and nothing else: what was typed stays. */
export function Texts({ locale, messages, children }: TextsProps) {
  const i18n = useMemo(
    () => setupI18n({ locale, messages: { [locale]: messages } }),
    [locale, messages],
  );
  return <I18nProvider i18n={i18n}>{children}</I18nProvider>;
}
