'use client';

import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { ApiForm } from '#client/api-form.tsx';
import { callApi } from '#client/call-api.ts';
import { checkBySchema } from '#client/check-by-schema.ts';
import type { Locale } from '#db/values.ts';
import type { FormMessages } from '#i18n/validation.ts';
import { SubmitButton } from '#ui/form.tsx';
import { enrollingPaths } from './enrolling-paths.ts';
import type { Numbered } from './numbered.ts';
import { Consent, Honeypot, Sent, type SentTexts, untilBelieved } from './request-parts.tsx';
import type { Availability } from './schema.ts';

type EnrollBoxProps = {
  slug: string;
  /** `preview` sends nothing, and what has ended does not change. */
  mode: 'live' | 'preview' | 'ended';
  hue: string;
  /** When the page was rendered, which may be a minute ago. */
  state: string;
  /** Shown to the owner, whose preview nothing keeps; null where there is no number to show. */
  placesLeft: number | null;
  head: ReactNode;
  locale: Locale;
  /** As the form shows it; null without one. */
  question: string | null;
  messages: FormMessages;
  texts: SentTexts & {
    placesLeft: Numbered;
    waiting: Numbered & { none: string };
    enroll: string;
    joinWaitlist: string;
    askForPlace: string;
    pending: string;
  };
  /** By state. */
  bodies: Record<string, ReactNode>;
  /** For browsers without scripts. */
  needsScripts: ReactNode;
  consent: ReactNode;
  fields: ReactNode;
  foot: ReactNode;
};

type Live = Pick<Availability, 'enrollment_state' | 'places_left' | 'waiting'>;

/** Together with what caches keep, nothing that is shown is older than ten seconds. */
const lookEveryMs = 7_000;

/** Refusals that say how things are now: trying again would not help. */
const refusals = [
  'cohort_full',
  'cohort_invitation_only',
  'cohort_over',
  'enrollment_closed',
  'enrollment_not_open',
  'form_stale',
  'too_many_people',
];

const checkTyped = checkBySchema(() =>
  import('./schema.ts').then(({ EnrollmentRequestInput }) => EnrollmentRequestInput),
);

/** What one can do about a cohort at this moment. */
export function EnrollBox(props: EnrollBoxProps) {
  const { mode, hue, head, locale, texts, bodies } = props;
  const { live, stampRef, look } = useAvailability(props);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [typed, setTyped] = useState<Record<string, string>>({});
  const state = mode === 'ended' ? 'ended' : live.enrollment_state;
  const hasForm = state === 'open' || state === 'approval' || state === 'waitlist';
  const [hadForm, setHadForm] = useState(hasForm);
  if (hasForm && !hadForm) {
    setHadForm(true);
  }
  return (
    <section aria-labelledby="days" className="booklet public-box">
      <div className="cover" data-hue={hue}>
        {head}
        {(state === 'open' || state === 'approval') && props.placesLeft !== null && (
          // Kept free until the number is there.
          <small>
            {live.places_left !== null && textFor(texts.placesLeft, live.places_left, locale)}
          </small>
        )}
      </div>
      <div>
        {sentTo !== null && <Sent address={sentTo} texts={texts} onBack={() => setSentTo(null)} />}
        {sentTo === null && state !== 'open' && (
          <p>{(state === 'waitlist' && waitingText()) || (bodies[state] ?? bodies['closed'])}</p>
        )}
        {sentTo === null && hadForm && (
          // Not removed: what is typed is still there if a place is free again.
          <div hidden={!hasForm}>
            <EnrollForm
              {...props}
              label={labelFor(state)}
              typed={typed}
              stampRef={stampRef}
              onSent={(email, values) => {
                setTyped(values);
                setSentTo(email);
              }}
              onRefused={look}
            />
          </div>
        )}
      </div>
    </section>
  );

  function labelFor(asked: string): string {
    if (asked === 'approval') {
      return texts.askForPlace;
    }
    return asked === 'waitlist' ? texts.joinWaitlist : texts.enroll;
  }

  function waitingText(): string | null {
    if (live.waiting === 0) {
      return texts.waiting.none;
    }
    return live.waiting === null ? null : textFor(texts.waiting, live.waiting, locale);
  }
}

function textFor(texts: Numbered, n: number, locale: Locale): string {
  const isOne = new Intl.PluralRules(locale).select(n) === 'one';
  return (isOne ? texts.one : texts.other).replace('#', n.toLocaleString(locale));
}

type Stamp = { text: string; at: number };

/** What the cohort offers, asked for again and again while the page is in sight. */
function useAvailability({ slug, mode, state, placesLeft }: EnrollBoxProps) {
  const [live, setLive] = useState<Live>({
    enrollment_state: state,
    places_left: mode === 'preview' ? placesLeft : null,
    waiting: null,
  });
  // The first one: it says for how long the form has been there.
  const stampRef = useRef<Stamp>(null);
  const lookRef = useRef<() => Promise<void>>(async () => {});

  useEffect(() => {
    if (mode !== 'live') {
      return undefined;
    }
    let isOver = false;
    async function look(): Promise<void> {
      const found = await callApi(enrollingPaths.publicCohort(slug), { method: 'GET' });
      if (isOver) {
        return;
      }
      if (found.ok) {
        stampRef.current ??= { text: found.data.stamp, at: Date.now() };
        setLive(found.data);
      } else {
        // A number that may be wrong by now is not shown.
        setLive((known) => ({ ...known, places_left: null, waiting: null }));
      }
    }
    const lookIfSeen = () => {
      if (document.visibilityState === 'visible') {
        void look();
      }
    };
    lookRef.current = look;
    lookIfSeen();
    const timer = setInterval(lookIfSeen, lookEveryMs);
    document.addEventListener('visibilitychange', lookIfSeen);
    return () => {
      isOver = true;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', lookIfSeen);
    };
  }, [slug, mode]);

  return { live, stampRef, look: () => lookRef.current() };
}

type EnrollFormProps = EnrollBoxProps & {
  /** Of the button. */
  label: string;
  typed: Record<string, string>;
  stampRef: RefObject<Stamp | null>;
  onSent: (email: string, values: Record<string, string>) => void;
  onRefused: () => void;
};

function EnrollForm(props: EnrollFormProps) {
  const { slug, mode, locale, messages, texts, fields, foot, stampRef } = props;
  const { label, typed, question, onSent, onRefused } = props;

  async function check({ name, email, answer, consent: agreed }: Record<string, string>) {
    const errors = await checkTyped({ name, email, ...(answer !== undefined && { answer }) });
    if (agreed === undefined) {
      errors['consent'] = 'consent_required';
    }
    if (Object.keys(errors).length === 0) {
      await untilBelieved(stampRef.current?.at ?? Date.now());
    }
    return errors;
  }

  return (
    <ApiForm
      path={enrollingPaths.enrollmentRequests(slug)}
      messages={messages}
      check={check}
      refusals={refusals}
      initialValues={typed}
      toInput={({ name = '', email = '', answer = null, website = '', consent: agreed }) => ({
        name,
        email,
        website,
        consent: agreed !== undefined,
        language: locale,
        question,
        answer,
        stamp: stampRef.current?.text ?? '',
      })}
      onFailure={({ status }) => {
        if (status === 422) {
          onRefused();
        }
        return false;
      }}
      onDone={({ email }, values) => onSent(email, values)}
    >
      {props.needsScripts}
      <fieldset disabled={mode === 'preview'} className="fields">
        {fields}
        <Honeypot />
        <Consent>{props.consent}</Consent>
        <SubmitButton
          label={label}
          pendingLabel={texts.pending}
          className="button button-primary button-large w-full"
        />
      </fieldset>
      {foot}
    </ApiForm>
  );
}
