import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { canReturn } from '#features/cohorts/cohort-status.ts';
import type { OwnCohort } from '#features/planning/own-cohorts.ts';
import { formMessages } from '#i18n/validation.ts';
import { isolated } from '#lib/text.ts';
import { pick } from '#lib/to-json.ts';
import { validationTexts } from '#vocabulary.ts';

const ofNote = pick(validationTexts, ['entry_note_too_long', 'text_characters']);

export function leftMessages(i18n: I18n) {
  return formMessages(i18n, ofNote);
}

/**
 * The texts of the dialog that marks someone as left. The name, the day and the amounts are
 * filled in where the person is chosen.
 *
 * @param nextWaiting who is first on the waitlist
 */
export function leftTexts(i18n: I18n, cohort: OwnCohort, nextWaiting: string | null) {
  const [name, since, paid, rest, total] = ['{name}', '{since}', '{paid}', '{rest}', '{total}'];
  const [online, byHand] = ['{online}', '{byHand}'];
  const next = cohort.isPassedOn && nextWaiting !== null ? isolated(nextWaiting) : null;
  const submitting = i18n._(msg`One moment…`);
  return {
    left: {
      title: i18n._(msg`Mark ${name} as left?`),
      explanation:
        next !== null
          ? i18n._(msg`The place is offered to ${next}, first on the waitlist.`)
          : canReturn(cohort.enrollment_state)
            ? i18n._(msg`The place becomes free. ${name} can ask for one again.`)
            : i18n._(msg`The place becomes free. Only you can add ${name} again.`),
      submit: i18n._(msg`Mark as left`),
      submitting,
      done: i18n._(msg`Marked as left.`),
    },
    enrolled: i18n._(msg`Enrolled ${since}`),
    paid: i18n._(msg`paid ${paid}`),
    paidPart: i18n._(msg`paid ${paid} of ${total}`),
    settle: {
      title: i18n._(msg`What should happen to ${name}’s account?`),
      submit: i18n._(msg`Save`),
      submitting,
      done: i18n._(msg`Saved.`),
    },
    moneyLegend: i18n._(msg`What happens to the money`),
    money: {
      refund: i18n._(msg`Refund ${paid}`),
      refundWays: {
        byHand: i18n._(msg`You send it back as it came.`),
        online: i18n._(msg`Stripe sends it back, within minutes.`),
        both: i18n._(
          msg`Stripe sends ${online} back, within minutes. You send ${byHand} back as it came.`,
        ),
      },
      othersWaived: i18n._(msg`The other ${rest} is waived.`),
      waive: {
        label: i18n._(msg`Waive ${rest}`),
        description: i18n._(msg`Nothing is left to pay.`),
      },
      waiveRest: {
        label: i18n._(msg`Waive the rest, ${rest}`),
        description: i18n._(msg`You keep ${paid}. Nothing is left to pay.`),
      },
      keepDue: {
        label: i18n._(msg`Keep the account as it is`),
        description: i18n._(msg`${name}’s page goes on to say “Still to pay: ${rest}”.`),
      },
      keepPaid: {
        label: i18n._(msg`Keep the account as it is`),
        description: i18n._(msg`You keep ${paid}.`),
      },
    },
    note: i18n._(msg`Private note, optional`),
    noteHint: i18n._(msg`${name} can request a copy of it.`),
    tell: i18n._(msg`Email ${name} that the enrollment has ended`),
    preview: i18n._(msg`Preview email`),
    cancel: i18n._(msg`Cancel`),
  };
}
