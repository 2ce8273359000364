'use client';

import type { ComponentProps } from 'react';
import { checkBySchema } from '#client/check-by-schema.ts';
import { SaveForm } from '#features/settings/save-form.tsx';
import { apiPaths } from '#paths.ts';

const check = checkBySchema(() =>
  import('#features/places/schema.ts').then(({ PersonPatch }) => PersonPatch),
);

type EditPersonFormProps = Omit<
  ComponentProps<typeof SaveForm>,
  'kind' | 'path' | 'check' | 'toInput'
> & {
  id: string;
};

/** Changes what differs about a person: another address alone ends their links. */
export function EditPersonForm({ id, ...form }: EditPersonFormProps) {
  return (
    <SaveForm
      kind="person"
      check={check}
      path={apiPaths.person(id)}
      toInput={(values, differs) =>
        Object.fromEntries(Object.entries(values).filter(([name]) => differs(name)))
      }
      {...form}
    />
  );
}
