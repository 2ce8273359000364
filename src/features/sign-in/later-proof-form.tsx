'use client';

import { later } from '#client/later.tsx';

/** Loaded after the page, because its dialog is closed at first. */
export const ProofForm = later(() => import('./proof-form.tsx').then((script) => script.ProofForm));
