import { Trans, useLingui } from '@lingui/react/macro';
import { TextList, TextPage, TextSection } from '#features/frames/text-page.tsx';
import { pageRequest } from '#page-request.ts';
import { serverPaths } from '#paths.ts';

/**
 * The data that the software stores. Must be updated with the tables of db/schema and with every
 * cookie. Operators edit this file to replace it with their own text.
 */
export default function PrivacyPage() {
  const request = pageRequest();
  const isReporting = request.reporting !== null;
  const hasStripe = request.ctx.config.stripe !== null;
  const { t } = useLingui();
  const contact = <bdi>{request.contact}</bdi>;
  const operator = <bdi>{request.operatorName}</bdi>;
  const cookies = [
    {
      name: 'session',
      purpose: t`Keeps you logged in.`,
      lifetime: t`90 days, or until you log out`,
    },
    {
      name: 'browser',
      purpose: t`Recognizes this browser when you ask for a login link, so that other people can’t use up the emails to your address. It doesn’t log anyone in.`,
      lifetime: t`400 days after your last login, even if you log out`,
    },
    {
      name: 'csrftoken',
      purpose: t`Shows that a request comes from a page of Lectern.`,
      lifetime: t`One year`,
    },
    {
      name: 'attempt',
      purpose: t`Ties the code in a login or confirmation email to the browser that asked for it.`,
      lifetime: t`10 minutes, or until you log in`,
    },
    {
      name: 'google_…',
      purpose: t`Ties a login with Google to the browser that began it.`,
      lifetime: t`10 minutes at most`,
    },
    {
      name: 'bookmark',
      purpose: t`Makes sure that the next pages show what you have just changed.`,
      lifetime: t`10 minutes`,
    },
    {
      name: 'language',
      purpose: t`Remembers the language you chose, as does an entry of the same name in your browser’s local storage.`,
      lifetime: t`One year; the entry, until you clear it`,
    },
    {
      name: 'theme',
      purpose: t`Remembers whether you chose light or dark colors.`,
      lifetime: t`One year`,
    },
    {
      name: 'sidebar_state',
      purpose: t`Remembers whether the sidebar is open.`,
      lifetime: t`7 days`,
    },
    {
      name: 'return_to',
      purpose: t`Remembers the page to return to after you log in. If your session expired while you were typing there, what you typed stays in the session storage of that tab until you are back.`,
      lifetime: t`10 minutes at most`,
    },
  ];
  return (
    <TextPage
      request={request}
      title={t`Privacy`}
      description={t`What Lectern stores about you, for how long, and how to delete it.`}
      intro={
        <Trans>
          What Lectern stores about you, and for how long. This text comes with the software; the
          operator of this site may replace it with their own. “We” means {operator}, who runs this
          site. To reach us, write to {contact}.
        </Trans>
      }
      next={{ href: serverPaths.terms, label: t`Terms of use` }}
    >
      {isReporting ? (
        <p>
          <Trans>
            Lectern contains no advertising and no tracking pixels. It does report errors, and
            records some visits for these reports, as described below. Other users can’t see
            anything listed here, apart from your public pages; we can, because we run the database.
            The login and sign-up forms do reveal whether an address has an account.
          </Trans>
        </p>
      ) : (
        <p>
          <Trans>
            Lectern contains no advertising, no analytics and no tracking pixels. Other users can’t
            see anything listed here, apart from your public pages; we can, because we run the
            database. The login and sign-up forms do reveal whether an address has an account.
          </Trans>
        </p>
      )}
      <TextSection title={t`What we store`}>
        <TextList>
          <Trans>
            <strong>Your account:</strong> name, email address, your bio, language, when you created
            it, when you confirmed the address, which course is selected, whether you get the daily
            news and when the next go out. If you log in with Google: also Google’s identifier for
            you and the web address of your Google picture. If you add a photo of your own: its
            address.
          </Trans>
          <Trans>
            <strong>Your courses:</strong> name, type, color, picture, what you say about them, the
            link to their page, whether public pages show their lessons, when they were created and
            last changed, and a random key that prevents duplicates.
          </Trans>
          <Trans>
            <strong>Your lessons:</strong> what you write, with its earlier versions, the sections
            and their order, reading times and words, which lessons are published, when each was
            written, changed or published, when sections open, and random keys that prevent
            duplicates and by which lessons link to each other. What you move to the trash is
            deleted after 30 days. Also the files in them: names, types, sizes, when you added them,
            the random keys under which they’re stored and, during an upload, how much has arrived.
            Files that no lesson uses are deleted a week after you add them.
          </Trans>
          <Trans>
            <strong>Your cohorts:</strong> what you enter about them, such as prices, who else
            teaches and how refunds work, when you created, changed, published or archived them, and
            a random key that prevents duplicates. What you move to the trash is deleted after 30
            days, once you’ve decided about what people paid for it.
          </Trans>
          <Trans>
            <strong>Your live sessions:</strong> their titles, times, places, meeting links and
            notes, what everyone can read about them, days without class with their reasons, what
            people were last told of them, when you added, changed or canceled them, and a random
            key that prevents duplicates. Canceled ones are deleted after 30 days.
          </Trans>
          <Trans>
            <strong>Your messages:</strong> what you write to people of your cohorts, when, to whom
            of them and to how many, until you delete the cohort.
          </Trans>
          <Trans>
            <strong>The people in your cohorts:</strong> their names, email addresses and languages,
            your notes about them, and what has happened to their places. The next section is for
            them.
          </Trans>
          <Trans>
            <strong>Your calendar link:</strong> since when it exists, and how many you have had.
            The link itself isn’t stored.
          </Trans>
          <Trans>
            <strong>Your accounts:</strong> for each cohort, what people owe and have paid, as
            entries that never change: each with its kind, amount, currency, way of payment and
            dates, the names of course and cohort, where it comes from, and a random key that
            prevents duplicates. They stay until you delete your account. Lectern keeps these
            accounts and takes no payments.
          </Trans>
          {hasStripe && (
            <Trans>
              <strong>Payments online:</strong> if you connect a Stripe account, its ID and country,
              whether it can take payments, what Stripe still needs, and when it was connected,
              checked and disconnected. For each time that someone goes to pay: the place, the names
              of course and cohort, the amounts, the outcome, the refunds, with their dates, and
              Stripe’s IDs; not the address of the payment page. They stay until you delete your
              account.
            </Trans>
          )}
          <Trans>
            <strong>Your sessions:</strong> for each logged-in browser, its name, when you logged in
            and, to within a day, when it was last active. A session ends after 30 days without a
            visit, and after 90 days in any case.
          </Trans>
          <Trans>
            <strong>Links we email:</strong> what each is for, the address, when and from which
            browser it was requested, when it expires and, for an address change, which session
            requested it; for a code in the same email, a keyed hash, one that ties it to your
            browser, and how many wrong ones were entered. A login link lasts 10 minutes, others 24
            hours; once used, it is deleted with its code.
          </Trans>
          <Trans>
            <strong>Former email addresses:</strong> when you change your address, the former one
            and the time of the change, for 7 days, so that the change can be undone.
          </Trans>
          <Trans>
            <strong>Known browsers and networks:</strong> for each browser and network you’ve logged
            in from, a keyed hash, until 180 days after your last login there. Some of the emails to
            your address are reserved for them, so that other people can’t use them all up.
          </Trans>
          <Trans>
            <strong>Counters:</strong> how often certain actions were requested, to prevent abuse.
            Email addresses, IP addresses and accounts are replaced with a keyed hash. Unless we
            have set other limits, a counter is kept for a day at most.
          </Trans>
          <Trans>
            <strong>Undeliverable addresses:</strong> if an email bounced or was reported as spam,
            the address, the reason and the date. They are deleted with your account; if you have no
            account, write to us to have them deleted.
          </Trans>
        </TextList>
        <p>
          <Trans>
            The secrets in cookies, links and codes are stored only as hashes. Expired data is
            deleted every hour. Your account and courses stay until you delete them. An account
            whose address was never confirmed stays, unusable, until someone confirms the address;
            to have it deleted, reply to the confirmation email.
          </Trans>
        </p>
      </TextSection>
      <TextSection title={t`If you take part in a cohort`}>
        <p>
          <Trans>
            The instructor decides why and how your data is used; {operator} keeps it on their
            behalf. Other participants see nothing about you, and no instructor sees what another
            one keeps about you.
          </Trans>
        </p>
        <p>
          <Trans>
            The files and pictures of a course come from Lectern itself. Loading them sets no
            cookies, and we don’t store who has loaded which. The picture of a course and the photo
            of its instructor are public, like the pages that show them; one that was removed can
            stay in caches for a day. Anyone with the link to a file can open it, for two days at
            most.
          </Trans>
        </p>
        <TextList>
          <Trans>
            <strong>You:</strong> your name, email address and language, when you agreed to pass
            them on and to which text, when you last showed that you take part, how the instructor
            got your address, whether you want no more invitations, reminders or messages, and their
            note about you, which you may ask them to show you.
          </Trans>
          <Trans>
            <strong>Your places:</strong> the cohorts you were invited to, asked for, waited for or
            took part in, and what happened when; if you answered a question on the form, the
            question and your answer; if the instructor marks you as left, a note of theirs and
            whether you still owe what is open. They stay until the instructor deletes the cohort;
            30 days after your last one, you are removed.
          </Trans>
          <Trans>
            <strong>Attendance:</strong> whether you were present at each live session, if the
            instructor marks it, and when they did. It goes with your place.
          </Trans>
          <Trans>
            <strong>Lessons:</strong> which lessons you have opened and marked as done, and when;
            when you could first read them and from when your access counts, which one you were last
            at and how many are done; how many reminders you got, when you were last told that
            lessons are open, and when the next email about lessons is due; in a course at your own
            pace, how you get on: under way, stuck, not started or finished. No time spent, no
            scrolling, no IP address. It goes with your place.
          </Trans>
          <Trans>
            <strong>Codes to continue on another device:</strong> a keyed hash of the code, another
            that ties it to your browser, and how many wrong codes were entered, for 10 minutes.
          </Trans>
          <Trans>
            <strong>Payments:</strong> what you owe for a place and what the instructor has noted as
            paid, with a note of theirs that you may ask them to show you. If your data is erased,
            so are that note and your instructor’s own word for how you paid; the amounts stay, with
            a number and the date in place of your name, because accounts must be kept.
          </Trans>
          {hasStripe && (
            <Trans>
              <strong>Payments online:</strong> for each time that you go to pay at Stripe, the
              names of course and cohort, the amounts, the outcome, the refunds, with their dates,
              and Stripe’s IDs. What you type there, such as your card’s number, never reaches
              Lectern. If your data is erased, this stays with your instructor’s accounts, without
              your name.
            </Trans>
          )}
          <Trans>
            <strong>Requests:</strong> if you ask for a place and don’t confirm it, your name,
            address and answer are deleted after 24 hours. A confirmed request is too.
          </Trans>
          <Trans>
            <strong>If you’d like to know when enrollment opens:</strong> your email address and
            language, and to which text you agreed, on behalf of the course’s instructor, who sees
            only how many people wait. If you don’t confirm the address, it is deleted after 24
            hours; otherwise with the email, after a year, or when you delete it with the link we
            sent you.
          </Trans>
          <Trans>
            <strong>Emails about your places:</strong> their content for 7 days after they were
            sent, and for 90 days that they were sent, when and to which address, whether that
            failed, and whether you marked one as spam.
          </Trans>
          <Trans>
            <strong>What outlives an erasure:</strong> if the instructor removed you from a cohort
            or turned you down, or you want no more invitations, a keyed hash of your address, so
            that this still applies; for the activity of a cohort, that someone was erased and when;
            and that an email was marked as spam. None of it says who you are.
          </Trans>
        </TextList>
        <p>
          <Trans>
            The link in each email opens your page, which sets no cookies and is never recorded.
            There you can change your name and language, switch reminders off, and ask for an email
            with another link: by that one, for 10 minutes, you can download everything listed here,
            change your address or erase it all. If an instructor added you, “Remove me” in that
            email does the last. Or write to the instructor, who can do the same for you.
          </Trans>
        </p>
        <p>
          <Trans>
            What is erased stays for up to 30 days in the history of the database, from which we
            could restore it, and in emails at Resend. Undeliverable addresses, as described above,
            are kept for everyone.
          </Trans>
        </p>
      </TextSection>
      <TextSection title={t`IP address and log`}>
        <p>
          <Trans>
            We use your IP address to count requests, as described above and in Cloudflare’s own
            limiter, and to recognize the networks you’ve logged in from. Lectern doesn’t store it
            in any other form. Its log contains events, errors, random IDs and counts, but no names,
            email addresses or IP addresses.
          </Trans>
        </p>
      </TextSection>
      {isReporting && <ErrorReportsSection />}
      <TextSection title={t`Who else is involved`}>
        <TextList>
          <Trans>
            <strong>Cloudflare</strong> runs the servers, the database (D1), the storage for files
            and pictures (R2) and the log. Every request passes through it.
          </Trans>
          <Trans>
            <strong>Resend</strong> delivers our emails. It gets your address and their content,
            such as your first name, and when and from which browser you requested a link.
          </Trans>
          <Trans>
            <strong>Google</strong>, only if you log in with it, learns that you use Lectern and
            tells us who you are: its identifier, your name, email address and picture. A new
            account takes its name and address from there. Unless you choose a photo of your own,
            your browser loads the picture from googleusercontent.com, and so do those of visitors
            to your public pages.
          </Trans>
          {hasStripe && (
            <Trans>
              <strong>Stripe</strong>, only if you pay online, gets your email address, your
              language, the amount, the names of course and cohort and our number for the payment,
              and what you type on its page. The payment goes to your instructor’s account there, or
              to that of {operator}. If you connect an account as an instructor, Stripe gets your
              email address and country, and what you tell it about yourself.
            </Trans>
          )}
          {isReporting && (
            <Trans>
              <strong>Sentry</strong> gets the error reports and recordings, with everything they
              contain.
            </Trans>
          )}
        </TextList>
        <p>
          <Trans>
            How long Cloudflare keeps the log, and Resend the emails, depends on our contracts with
            them.
          </Trans>
        </p>
      </TextSection>
      <TextSection title={t`Cookies`}>
        <p>
          <Trans>
            All are Lectern’s own. Over https, the names of the first six begin with{' '}
            <code>__Host-</code>.
          </Trans>
        </p>
        <dl className="grid gap-1">
          {cookies.map(({ name, purpose, lifetime }) => (
            <div key={name}>
              <dt className="mt-2 font-semibold">
                <code>{name}</code>
              </dt>
              <dd>{purpose}</dd>
              <dd className="text-muted">{lifetime}</dd>
            </div>
          ))}
        </dl>
        <p>
          <Trans>
            When you follow the link from login to sign-up, or back, the email address you’ve typed
            is kept in the session storage of your browser until the other page has opened.
          </Trans>
        </p>
        <p>
          <Trans>
            Session storage also holds a message for the next page (<code>toast</code>), what you
            were typing when your session expired (<code>draft</code>) and the address above (
            <code>address</code>), each in one tab and only until it has been used. If part of a
            page is missing and the page is loaded again, it holds the version of Lectern (
            <code>waku:preload-error-build-id</code>) until you close the tab.
          </Trans>
        </p>
        <p>
          <Trans>
            Attendance that you mark while offline stays in local storage (<code>attendance</code>)
            until it is sent.
          </Trans>
        </p>
      </TextSection>
      <TextSection title={t`Exporting and deleting your data`}>
        <p>
          <Trans>
            In your settings you can download what the database stores about you (except hashes and
            counters) and delete your account, both with immediate effect. You must have logged in
            within the last 15 minutes.
          </Trans>
        </p>
        <p>
          <Trans>
            Courses, sessions, links, former addresses and known browsers and networks are deleted
            with the account. Some data remains for a while: some counters, log entries with the
            account’s random ID, emails at Resend, and the history of the database, from which we
            could restore the account for up to 30 days.
          </Trans>
        </p>
      </TextSection>
    </TextPage>
  );
}

/** The data that features/error-reports and observability/error-reports.ts send. */
function ErrorReportsSection() {
  const { t } = useLingui();
  return (
    <TextSection title={t`Error reports`}>
      <p>
        <Trans>
          When something breaks, on our side or in your browser, a report goes to Sentry, so that we
          can fix it: the error, the address of the page up to any question mark, the time, your
          browser’s name and version, and the buttons you clicked before. If you’re logged in, it
          includes your name, your email address and the random ID of your account.
        </Trans>
      </p>
      <p>
        <Trans>
          After an error in your browser, your visit is recorded: the pages with their text, your
          mouse movements and clicks. One visit in ten is recorded from the beginning. What you type
          is replaced with asterisks, and pictures aren’t recorded. The secrets in links, sessions
          and cookies are removed before anything leaves your browser.
        </Trans>
      </p>
      <p>
        <Trans>
          Reports and recordings reach Sentry through our own servers, so that it doesn’t see your
          IP address. They stay there when you delete your account; how long depends on our contract
          with Sentry. Whether your visit is recorded is remembered in the session storage of your
          browser, under <code>error-reports</code> and <code>sentryReplaySession</code>, until you
          close the tab.
        </Trans>
      </p>
    </TextSection>
  );
}
