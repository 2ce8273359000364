import 'server-only';

/** Which text people agree to under the public form; a new text is a new number. */
export const consentVersion = 3;

/** The same for the form of those who would like to know when enrollment opens. */
export const interestConsentVersion = 1;
