import { msg } from '@lingui/core/macro';

/** Said of a page that could not be shown. */
export const pageUnread = msg`This page could not be shown. Please try again in a moment.`;

/** Said of a page whose reader could not be looked up. */
export const viewerUnknown = msg`Failed to fetch user information.`;

/** Said by the browser alone: nothing answered. */
export const connectionLost = msg`We could not reach Lectern. Please check your connection and try again.`;
