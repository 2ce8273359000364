'use client';

import { later } from '#client/later.tsx';

/** Its script comes after the page's: it is in a closed dialog. */
export const ProofForm = later(() => import('./proof-form.tsx').then((script) => script.ProofForm));
