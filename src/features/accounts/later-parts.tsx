'use client';

import { later } from '#client/later.tsx';

/** AddressForm, which few people need. */
export const LaterAddressForm = later(() =>
  import('./address-form.tsx').then(({ AddressForm }) => AddressForm),
);

/** ExportButton, which few people need. */
export const LaterExportButton = later(() =>
  import('./export-button.tsx').then(({ ExportButton }) => ExportButton),
);
