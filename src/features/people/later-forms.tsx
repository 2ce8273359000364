'use client';

import { later } from '#client/later.tsx';

/** AddPersonForm, in its dialog. */
export const LaterAddPersonForm = later(() =>
  import('./add-person-form.tsx').then(({ AddPersonForm }) => AddPersonForm),
);

/** ApproveAllForm, in its dialog. */
export const LaterApproveAllForm = later(() =>
  import('./approve-all-form.tsx').then(({ ApproveAllForm }) => ApproveAllForm),
);

/** RemoveAllForm, in its dialog. */
export const LaterRemoveAllForm = later(() =>
  import('./remove-all-form.tsx').then(({ RemoveAllForm }) => RemoveAllForm),
);

/** RemoveForm, in its dialog. */
export const LaterRemoveForm = later(() =>
  import('./remove-form.tsx').then(({ RemoveForm }) => RemoveForm),
);

/** TransferForm, in its section. */
export const LaterTransferForm = later(() =>
  import('./transfer-form.tsx').then(({ TransferForm }) => TransferForm),
);

/** PersonDataButton: nothing is downloaded or erased without scripts. */
export const LaterPersonDataButton = later(() =>
  import('./person-data-button.tsx').then(({ PersonDataButton }) => PersonDataButton),
);
