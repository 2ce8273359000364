import { afterEach, expect, test, vi } from 'vitest';
import { failureKind, waitingTime } from '#client/failures.ts';
import { type Locale, locales } from '#db/values.ts';
import { failureTexts } from '#i18n/failures.ts';
import { i18nFor } from '#i18n/server.ts';

afterEach(() => vi.unstubAllGlobals());

const hour = 60 * 60;

test.each([
  ['en', -5, 'now'],
  ['en', 0.2, 'in 1\u00a0second'],
  ['en', 61, 'in 2\u00a0minutes'],
  ['en', hour, 'in 60\u00a0minutes'],
  ['en', hour + 1, 'in 2\u00a0hours'],
  ['fr', 0, 'maintenant'],
  ['fr', 120, 'dans 2\u00a0minutes'],
])('in %s, a wait of %d seconds is never said to be shorter: %s', (lang, seconds, words) => {
  vi.stubGlobal('document', { documentElement: { lang } });

  expect(waitingTime(1_000_000 + seconds * 1000, 1_000_000)).toBe(words);
});

const answered = (status: number) => ({ ok: false, status, body: null });
const unanswered = (thrown: unknown) => ({ ok: false, status: null, body: null, thrown });

test.each([
  ['a refusal', answered(422), 422],
  ['a proxy that reaches nothing', answered(502), 503],
  ['a proxy that waits in vain', answered(504), 503],
  ['an unusual status', answered(409), 'other'],
  ['a lost connection', unanswered(new TypeError('Failed to fetch')), 'network'],
  ['what an extension throws', unanswered(new Error('Broken')), 'error'],
  ['what a page throws', new TypeError('Broken'), 'error'],
  ['what is no error', 'Broken', 'unknown'],
])('%s is shown as a failure of its kind', (_, failure, kind) => {
  expect(failureKind(failure)).toBe(kind);
});

const texts: Record<Locale, Record<string, string[]>> = {
  en: {
    400: ['Bad Request', 'Please check your input and try again.'],
    401: [
      'Authentication Required',
      'Your session has expired. Please log in to continue.',
      'Go to Login',
    ],
    403: ['Access Denied', 'You don’t have permission to do this.'],
    404: ['Not Found', 'We couldn’t find that. It may have been deleted.'],
    422: ['Validation Error', 'Please check your input and try again.'],
    429: [
      'Too Many Requests',
      'You’ve made too many requests. Please wait a moment and try again.',
      'Try Again',
    ],
    500: [
      'Server Error',
      'Something went wrong on our side. Please try again in a moment.',
      'Retry',
    ],
    503: [
      'Service Unavailable',
      'Lectern isn’t available right now. Please try again in a moment.',
      'Retry',
    ],
    network: ['Network Error', 'We couldn’t reach Lectern. Please check your connection.', 'Retry'],
    other: ['Request Failed', 'Something went wrong. Please try again.', 'Retry'],
    error: ['Error', 'Something went wrong. Please try again.'],
    unknown: ['Unknown Error', 'Something went wrong. Please try again.'],
  },
  fr: {
    400: ['Demande non valide', 'Vérifiez votre saisie et réessayez.'],
    401: [
      'Authentification requise',
      'Votre session a expiré. Connectez-vous pour continuer.',
      'Se connecter',
    ],
    403: ['Accès refusé', 'Vous n’avez pas l’autorisation d’effectuer cette action.'],
    404: ['Introuvable', 'Cet élément est introuvable. Il a peut-être été supprimé.'],
    422: ['Erreur de validation', 'Vérifiez votre saisie et réessayez.'],
    429: [
      'Trop de demandes',
      'Vous avez envoyé trop de demandes. Patientez un instant, puis réessayez.',
      'Réessayer',
    ],
    500: [
      'Erreur serveur',
      'Une erreur s’est produite de notre côté. Réessayez dans un instant.',
      'Réessayer',
    ],
    503: [
      'Service indisponible',
      'Lectern n’est pas disponible pour le moment. Réessayez dans un instant.',
      'Réessayer',
    ],
    network: ['Erreur réseau', 'Lectern est injoignable. Vérifiez votre connexion.', 'Réessayer'],
    other: ['La demande a échoué', 'Une erreur est survenue. Réessayez.', 'Réessayer'],
    error: ['Erreur', 'Une erreur est survenue. Réessayez.'],
    unknown: ['Erreur inconnue', 'Une erreur est survenue. Réessayez.'],
  },
};

// The product spec promises them.
test.each(locales)(
  'the error dialog has its title, text and button for each kind in %s',
  (locale) => {
    expect(failureTexts(i18nFor(locale)).kinds).toEqual(texts[locale]);
  },
);
