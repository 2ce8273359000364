'use client';

import type { ComponentProps } from 'react';
import { checkBySchema } from '#client/check-by-schema.ts';
import { SaveForm } from '#features/settings/save-form.tsx';

const check = checkBySchema(() =>
  import('#features/identity/account-schema.ts').then(({ NamesInput }) => NamesInput),
);

/** Changes the viewer's names. */
export function NamesForm(form: Omit<ComponentProps<typeof SaveForm>, 'kind' | 'check'>) {
  return <SaveForm kind="account" check={check} {...form} />;
}
