'use client';

import { later } from '#client/later.tsx';

/** The forms about cohorts and their larger parts: none is sent before it was filled in. */
export const LaterNewCohortForm = later(() =>
  import('./new-cohort-form.tsx').then(({ NewCohortForm }) => NewCohortForm),
);

export const LaterCohortPreview = later(() =>
  import('./new-cohort-form.tsx').then(({ CohortPreview }) => CohortPreview),
);

export const LaterSaveForm = later(() =>
  import('./cohort-save-form.tsx').then(({ CohortSaveForm }) => CohortSaveForm),
);

export const LaterMoveForm = later(() =>
  import('./move-form.tsx').then(({ MoveForm }) => MoveForm),
);

export const LaterCopyForm = later(() =>
  import('./move-form.tsx').then(({ CopyForm }) => CopyForm),
);

export const LaterPurgeButton = later(() =>
  import('./purge-button.tsx').then(({ PurgeButton }) => PurgeButton),
);

export const LaterZoneSelect = later(() =>
  import('./zone-select.tsx').then(({ ZoneSelect }) => ZoneSelect),
);
