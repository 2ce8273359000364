import 'server-only';
import { msg } from '@lingui/core/macro';
import type { CourseHue, Locale } from '#db/values.ts';
import { i18nFor } from '#i18n/server.ts';
import type { Letter } from './document.ts';
import { buttonOf, messageOf, wordsIn } from './layout.ts';
import { plain } from './letters/letter-text.ts';
import type { Message } from './send.ts';

/** What the email says, as the outbox keeps it. */
export type InterestPayload = {
  language: Locale;
  course: string;
  /** Both are missing in older emails. */
  course_id?: string;
  hue?: CourseHue | null;
  instructor: { name: string; email: string };
  /** What the button confirms. */
  interest: { id: string; expires_at: number };
};

/**
 * Asks someone to confirm that they would like to know when enrollment of a course opens.
 *
 * @param link where its button leads
 */
export async function interestLetter(
  to: string,
  { language, ...payload }: InterestPayload,
  link: string,
): Promise<Message> {
  const i18n = i18nFor(language);
  const course = plain(payload.course);
  const instructor = plain(payload.instructor.name);
  const letter: Letter = {
    language,
    hue: payload.hue,
    ...wordsIn(i18n, {
      subject: msg`Would you like to know when enrollment opens? ${course}`,
      preheader: msg`One click, then one email, and nothing else.`,
      title: msg`Please confirm your address`,
      paragraphs: [
        msg`Someone asked us to email this address when enrollment in “${course}” with ${instructor} opens. If it was you, please confirm it.`,
      ],
      notes: [
        msg`This link expires in 24 hours. Once you’ve confirmed, you can use it to delete your address.`,
        msg`If you didn’t ask for this, please ignore this email: your address is deleted after 24 hours.`,
      ],
      why: msg`You’re receiving this email because someone asked with this address to know when enrollment opens.`,
    }),
    kind: course,
    greeting: i18n._(msg`Hello,`),
    button: buttonOf({ label: msg`Tell me when enrollment opens`, link }, i18n),
    facts: [],
  };
  const fromName = i18n._(msg`${instructor} via Lectern`);
  return { ...(await messageOf(to, letter)), fromName, replyTo: payload.instructor.email };
}
