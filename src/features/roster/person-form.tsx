'use client';

import type { ComponentProps } from 'react';
import { SaveForm } from '#features/settings/save-form.tsx';
import { rosterPaths } from './roster-paths.ts';

type PersonFormProps = Omit<ComponentProps<typeof SaveForm>, 'kind' | 'path' | 'toInput'> & {
  id: string;
};

/** Changes what differs about a person: another address alone ends their links. */
export function PersonForm({ id, ...form }: PersonFormProps) {
  return (
    <SaveForm
      kind="person"
      path={rosterPaths.person(id)}
      toInput={(values, differs) =>
        Object.fromEntries(Object.entries(values).filter(([name]) => differs(name)))
      }
      {...form}
    />
  );
}
