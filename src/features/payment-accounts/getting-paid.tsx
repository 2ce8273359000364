import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { Context } from '#context.ts';
import type { PaymentMode } from '#db/values.ts';
import { Select } from '#features/cohorts/fields.tsx';
import { ProofDialog } from '#features/sign-in/proof-dialog.tsx';
import { dashboardUrl } from '#features/stripe/dashboard.ts';
import { formMessages } from '#i18n/validation.ts';
import { priceOf } from '#lib/price.ts';
import { dayIn, dayOfYear, longDate } from '#lib/time/words.ts';
import { paths } from '#paths.ts';
import { ActionDialog } from '#ui/action-dialog.tsx';
import { Fact } from '#ui/fact.tsx';
import { SubmitButton } from '#ui/form.tsx';
import { AccountCheck, ConnectForm, ContinueButton, DisconnectButton } from './account-islands.tsx';
import { countryName, listCountries } from './countries.ts';
import type { GettingPaid } from './find-getting-paid.ts';
import { missingWords } from './missing-words.ts';
import { validation } from './vocabulary.ts';

type Props = GettingPaid & {
  ctx: Pick<Context, 'config'>;
  email: string;
  operator: string;
  /** Whether the viewer comes back from Stripe. */
  isBack: boolean;
};

/** The viewer's account at Stripe: what it is now, and the one thing to do. */
export function GettingPaidCard(props: Props) {
  const { account, email, isBack } = props;
  const { t } = useLingui();
  return (
    <div className="getting-paid grid max-w-168 gap-6">
      <AccountCheck
        isBack={isBack && account.status !== 'none'}
        texts={{
          asking: t`Asking Stripe…`,
          failed: t`We can’t reach Stripe right now. Nothing is lost.`,
          retry: t`Try again`,
        }}
      />
      <section className="card grid gap-5" aria-labelledby="account">
        <State {...props} />
      </section>
      <ProofDialog email={email} />
    </div>
  );
}

function State(props: Props) {
  const { account, operator } = props;
  if (account.is_operators) {
    const name = <bdi>{operator}</bdi>;
    return (
      <>
        <Head status="running" word={<Trans context="payments">On</Trans>} />
        <p className="text-muted">
          <Trans>
            Payments go to {name}’s Stripe account, as the two of you have arranged. There is
            nothing to set up.
          </Trans>
        </p>
        <Facts {...props} />
      </>
    );
  }
  switch (account.status) {
    case 'unfinished':
      return <Unfinished {...props} />;
    case 'ready':
      return <Connected {...props} />;
    case 'paused':
      return <Paused {...props} />;
    default:
      return <NotConnected {...props} />;
  }
}

type HeadProps = { status?: string; word?: ReactNode };

function Head({ status, word }: HeadProps) {
  return (
    <div className="-mb-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <h2 id="account">
        <Trans>Your Stripe account</Trans>
      </h2>
      {word && (
        <span className="chip status" data-status={status}>
          {word}
        </span>
      )}
    </div>
  );
}

function NotConnected({ ctx }: Props) {
  const { i18n, t } = useLingui();
  const steps = [
    t`You open an account at Stripe, or use yours. About ten minutes.`,
    t`Stripe asks who you are and which bank account to pay out to.`,
    t`For each cohort, you choose whether people pay online, and when.`,
  ];
  return (
    <>
      <Head />
      <p className="text-muted">
        <Trans>
          People can pay by card when they enroll. The money goes straight to your own Stripe
          account; Lectern never holds it.
        </Trans>
      </p>
      <ol className="getting-paid-steps">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <ConnectForm {...toStripe(i18n, ctx)} messages={formMessages(i18n, validation)}>
        <Select
          name="country"
          label={t`Country`}
          hint={t`Where you live or are registered. Stripe can’t change it later.`}
        >
          <option value="">{t`Choose a country`}</option>
          {listCountries(i18n.locale).map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </Select>
        <div>
          <SubmitButton label={t`Connect Stripe`} pendingLabel={t`Going to Stripe…`} />
        </div>
      </ConnectForm>
    </>
  );
}

function Unfinished(props: Props) {
  const { account } = props;
  const { i18n, t } = useLingui();
  const missing = missingWords(i18n, account.missing);
  return (
    <>
      <Head status="full" word={<Trans>Not finished</Trans>} />
      <p className="text-muted">
        {missing.length > 0 ? (
          <Trans>No one can pay online yet. What Stripe still needs:</Trans>
        ) : (
          <Trans>
            No one can pay online yet. Stripe is checking what you entered, which can take a few
            minutes.
          </Trans>
        )}
      </p>
      {missing.length > 0 && (
        <ul className="getting-paid-missing">
          {missing.map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ul>
      )}
      <div className="actions">
        <Continue {...props}>{t`Finish at Stripe`}</Continue>
        <Disconnect />
      </div>
    </>
  );
}

function Connected(props: Props) {
  return (
    <>
      <Head status="running" word={<Trans context="payments">On</Trans>} />
      <p className="text-muted">
        <Trans>
          Payments go to your Stripe account, which pays out to your bank. You can refund from
          Lectern or from Stripe.
        </Trans>
      </p>
      <Facts {...props} />
      <div className="actions">
        <OpenStripe ctx={props.ctx} />
        <Disconnect />
      </div>
    </>
  );
}

function Paused(props: Props) {
  const { t } = useLingui();
  return (
    <>
      <Head status="paused" word={<Trans context="payments">Paused</Trans>} />
      <div className="alert">
        <p>
          <strong>
            <Trans>Stripe has paused payments.</Trans>
          </strong>{' '}
          <Trans>
            Until you resolve this in Stripe, no one can pay online. Places that are being paid now
            stay kept until their hour ends.
          </Trans>
        </p>
      </div>
      <Facts {...props} />
      <div className="actions">
        <Continue {...props}>{t`Resolve at Stripe`}</Continue>
        <Disconnect />
      </div>
    </>
  );
}

/** What the account is, and what it is used for. */
function Facts({ account, cohorts, last, paying }: Props) {
  const { i18n, t } = useLingui();
  const { status, country, account_hint: hint, missing, connected_at: since } = account;
  const isPaused = status === 'paused';
  const modes = modeWords(i18n);
  const about = [
    ...(hint === null ? [] : [`…${hint}`]),
    ...(country === null ? [] : [countryName(country, i18n.locale)]),
  ].join(', ');
  const facts = [
    { label: t`Account`, value: about },
    { label: t`Stripe asks for`, value: isPaused && missingWords(i18n, missing).join(', ') },
    {
      label: t`Used by`,
      value:
        cohorts.length === 0 ? (
          <Trans>No cohort yet. Choose it under the price in a cohort’s settings.</Trans>
        ) : (
          <ul>
            {cohorts.map(({ id, name, mode }) => (
              <li key={id}>
                <a className="link" href={paths.cohort(id)} dir="auto">
                  {name}
                </a>
                {` · ${modes[mode]}`}
              </li>
            ))}
          </ul>
        ),
    },
    {
      label: t`Being paid now`,
      value: isPaused && paying > 0 && <Plural value={paying} one="# place" other="# places" />,
    },
    {
      label: t`Last payment`,
      value: !isPaused && last !== null && (
        <span data-sentry-mask>
          {priceOf(last.minor, last.currency, i18n.locale)}
          {last.name !== null && (
            <>
              {', '}
              <bdi>{last.name}</bdi>
            </>
          )}
          {', '}
          {dayOfYear(dayIn(last.timeZone, new Date(last.at)), i18n.locale)}
        </span>
      ),
    },
    {
      label: t`Since`,
      value: since !== null && (
        <time dateTime={since}>{longDate(new Date(since), i18n.locale)}</time>
      ),
    },
  ].filter(({ value }) => value);
  return (
    <dl className="facts border-line border-b">
      {facts.map(({ label, value }) => (
        <Fact key={label} term={label}>
          {value}
        </Fact>
      ))}
    </dl>
  );
}

function modeWords(i18n: I18n): Record<PaymentMode, string> {
  return {
    own: '',
    online: i18n._(msg`online, later`),
    online_first: i18n._(msg`online, first`),
  };
}

function toStripe(i18n: I18n, { config }: Props['ctx']) {
  return {
    stripeOrigin: new URL(config.stripe?.baseUrl ?? config.appOrigin).origin,
    failed: i18n._(msg`Stripe can’t be opened. Please try again.`),
  };
}

function Continue({ ctx, account, children }: Props & { children: string }) {
  const { i18n, t } = useLingui();
  return (
    <ContinueButton
      {...toStripe(i18n, ctx)}
      country={account.country ?? ''}
      pendingLabel={t`Going to Stripe…`}
    >
      {children}
    </ContinueButton>
  );
}

/** Leads to the dashboard at Stripe. */
export function OpenStripe({ ctx, path }: { ctx: Pick<Context, 'config'>; path?: string }) {
  return (
    <a className="button" href={dashboardUrl(ctx, path)} target="_blank" rel="noreferrer">
      <span className="icon icon-outside" />
      <Trans>Open Stripe</Trans>
    </a>
  );
}

const dialogId = 'disconnect-stripe';

function Disconnect() {
  const { t } = useLingui();
  return (
    <ActionDialog
      id={dialogId}
      opener={<Trans>Disconnect…</Trans>}
      className="button button-quiet text-danger noscript:hidden"
      title={t`Disconnect Stripe?`}
      action={
        <DisconnectButton
          dialogId={dialogId}
          pendingLabel={t`Disconnecting…`}
          done={t`Stripe disconnected.`}
        >
          <Trans>Disconnect Stripe</Trans>
        </DisconnectButton>
      }
    >
      <p>
        <Trans>
          No one can pay online then, and no place can be paid for before it is given. What was paid
          stays in your accounts here and at Stripe, and you can connect again at any time.
        </Trans>
      </p>
    </ActionDialog>
  );
}
