import { expect, test } from 'vitest';
import { pageList } from '../page-list.ts';
import { serveEmpty } from './pages.ts';
import { createReaders, type Readers } from './readers.ts';
import { make } from './worker.ts';

let readers: Readers;

/** A cohort of three places at €240: one is taken by Grace, who has paid €100, one offered to Mary. */
serveEmpty(async (built) => {
  readers = await createReaders(built);
  const { instructor: ada, cohortId, addressOf } = readers;
  const cohort = `/api/cohorts/${cohortId}`;
  await ada.send('PATCH', `${cohort}/`, {
    description: 'A story a week.',
    place: 'Room 4',
    capacity: 3,
    price_minor: 24_000,
    currency: 'EUR',
    refund_note: 'Full refund until January 2.',
    second_teacher: 'Daniel Osei',
    payment_note: 'By transfer.',
  });
  const someone = { name: 'Mary Jackson', email: 'mary@example.com', language: 'en' };
  await make(ada, `${cohort}/enrollments/`, { ...someone, as: 'waitlisted' });
  for (const entry of [
    { kind: 'charge', amount_minor: 24_000 },
    { kind: 'payment', amount_minor: 10_000, method: 'cash', received_on: '2026-01-05' },
  ]) {
    await make(ada, `${cohort}/ledger/`, { ...entry, enrollments: [addressOf('[enrollment]')] });
  }
});

const days = 'January 4 – February 12, 2099 · Paris';
const ofCohort = `Winter|Enrolling|${days}
  Public page
  Roster |2|Waitlist |Schedule |2|Attendance`;
const beside = `Winter|· ${days}`;
const besideIn = (section: string) => `Winter|· |${section}|· |${days}`;
const session = 'Reading aloud|Tuesday, January 6, 2099, |6:00 – 7:30 PM';
const publicPage = `
  Winter|Analytical Engines|AL|DO|with |Ada Lovelace|and |Daniel Osei|Dates|January 4 – February 12|When|Tuesdays, 6:00 – 7:30 PM|Paris|Where|Room 4|Sessions|2, each 1½ hours|Group of 3|A story a week.
  ${session}
  If you can’t come|Full refund until January 2.
  €240`;
const lesson = 'Said is enough|0 63z c7y';

/** What each page shows of this, in its order: a line a part. `a=b` is what an input has. */
const facts: Record<string, string> = {
  '/': `
    Welcome, Ada
    Analytical Engines|Cohort course|Winter|Enrolling|${days}|2|of |3|Jan|6|Tue|First live session|${session}
    Analytical Engines|Cohort · Next begins January 4|Selected|Difference Engines|Evergreen|Looms|Evergreen
    AL|Ada Lovelace|ada|@example.com`,
  '/c/[slug]': publicPage,
  '/cohorts': `
    Cohorts|Analytical Engines
    Upcoming|Jan|4|Winter|${days}|Enrolling|2|of |3
    lectern.test/c/analytical-engines-`,
  '/cohorts/archive': 'Archived cohorts|Analytical Engines',
  '/cohorts/new': `
    New cohort|It stays a draft until you publish it.
    Analytical Engines|Untitled`,
  '/cohorts/preview': `
    Start any day|Analytical Engines|AL|with |Ada Lovelace
    1 lesson · access without end
    Lectern Operators
    Lessons|1|Reading time|8 min
    Said is enough|8 min`,
  '/cohorts/trash': 'Trash|Analytical Engines|All cohorts',
  '/cohorts/[id]': `
    ${ofCohort}
    1 of 3 places are taken, 1 offered.|Enrollment is open until the cohort starts on January 4.
    Mary Jackson|was offered a free place
    You added |Grace Hopper
    First live session|${session}
    lectern.test/c/analytical-engines-winter-
    Offer ending soon|to 1 person
    Starts soon|to 1 person · |January 1 at 9:00 AM`,
  '/cohorts/[id]/attendance': `
    ${ofCohort}
    0 of 2 sessions are behind you.
    January 6, Reading aloud|Jan|13|January 13, Reading aloud|Attended|GH|Grace Hopper|still to come|still to come|0 of 0
    Winter|1 person`,
  '/cohorts/[id]/attestation/[enrollment]': `
    Certificate of completion|${beside}
    Not completed yet.`,
  '/cohorts/[id]/duplicate': `
    Duplicate|${beside}
    name=`,
  '/cohorts/[id]/emails': `
    ${ofCohort}
    Starts soon
    January 1 at 9:00 AM|to 1 person
    before each of 2 sessions
    January 5 at 6:00 PM|to 1 person`,
  '/cohorts/[id]/emails/[kind]': `
    You’re in|${besideIn('Emails')}
    From|Ada Lovelace via Lectern|Replies go to|ada@example.com|Subject|You’re in: Analytical Engines, starting January 4
    How to pay: By transfer.
    Place: Room 4 Price: €240.00`,
  '/cohorts/[id]/import': `Import people|${besideIn('Roster')}`,
  '/cohorts/[id]/message': `
    Write to the group|${besideIn('Emails')}
    Everyone enrolled|1`,
  '/cohorts/[id]/move': `
    Move all dates|${beside}
    starts_on=2099-01-04
    ends_on=2099-02-12
    2 people who are enrolled, waiting or invited.`,
  '/cohorts/[id]/preview': `
    Only you can see it.
    ${publicPage}`,
  '/cohorts/[id]/roster': `
    ${ofCohort}
    All |2|Enrolled |1|Still owe |1|On their way |1|Offered a place |1
    1 person has not confirmed yet
    Joan Clarke
    GH|Grace Hopper
    0 of 1 lesson|Owes €140
    MJ|Mary Jackson|mary|@example.com|Offered a place`,
  '/cohorts/[id]/roster/[enrollment]': `
    ${ofCohort}
    GH|Grace Hopper
    paid €100
    Enrolled|since
    Owes €140
    You added |Grace Hopper
    Said is enough|Not opened
    name=Grace Hopper`,
  '/cohorts/[id]/schedule': `
    ${ofCohort}
    2 live sessions|All times are |Paris|time.
    2 changes are not announced.
    Tell 1 person
    Week |1|January 4 – 10|Jan|6|Tue|Reading aloud
    Tuesday, January 6, 2099, |6:00 – 7:30 PM
    Week |2|January 11 – 17|Jan|13|Tue|Reading aloud`,
  '/cohorts/[id]/schedule/[meeting]': `
    Change session|${besideIn('Schedule')}
    title=Reading aloud
    2099-01-06
    18:00
    90`,
  '/cohorts/[id]/schedule/all': `
    Edit all sessions|${besideIn('Schedule')}|2 with class.
    Reading aloud`,
  '/cohorts/[id]/schedule/new': `Add session|${besideIn('Schedule')}`,
  '/cohorts/[id]/schedule/weekly': `Add weekly sessions|${besideIn('Schedule')}`,
  '/cohorts/[id]/settings': `
    ${ofCohort}
    name=Winter
    Sunday, January 4, 2099 – Thursday, February 12, 2099
    place=Room 4
    240
    By transfer.
    capacity=3
    second_teacher=Daniel Osei
    This cohort|It stays in the trash for 30 days.`,
  '/cohorts/[id]/waitlist': `
    ${ofCohort}
    Offered a place|MJ|Mary Jackson|mary|@example.com|47 hours left`,
  '/confirm': 'You’re about to log in as|A|a•••@example.com',
  '/learn': 'Your courses|Analytical Engines|Winter|· |Ada Lovelace|0 of 1 lesson done',
  '/learn/[course]':
    'Analytical Engines|Winter|with |Ada Lovelace|You’ve done 0 of 1 lesson.|Said is enough|8 min|Start: lesson 1|1|Said is enough|8 min|comes next for you',
  '/learn/[course]/[lesson]': `
    0 of 1 done
    lesson 1 of 1 · 8 min|${lesson}`,
  '/learn/[course]/all': `
    Analytical Engines
    lesson 1 of 1 · 8 min|${lesson}`,
  '/learn/[course]/search': 'Grace Hopper|Analytical Engines',
  '/lessons': `
    Lessons|1 lesson · about 8 minutes
    Progress of |Winter|, |1 person|1|Said is enough|Published|0 opened · 0 done|8 min`,
  '/lessons/[id]': `
    Said is enough|about 8 min · |1 version
    0 63z c7y
    Reading time|About 8 min|Words`,
  '/lessons/[id]/versions': `
    Versions|Said is enough
    1,500 words
    ${lesson}`,
  '/lessons/files': 'Files|Files of |Analytical Engines',
  '/lessons/preview': `
    Winter|Show
    Analytical Engines|with |Ada Lovelace|You’ve done 0 of 1 lesson.|Said is enough|8 min`,
  '/lessons/preview/[id]': `lesson 1 of 1 · 8 min|${lesson}`,
  '/lessons/trash': 'Trash|Lessons of |Analytical Engines',
  '/onboarding/course': `
    Alan Turing|alan|@example.com
    Welcome, |Alan`,
  '/p/[link]': `
    Hello, Grace Hopper|Your cohorts with |Ada Lovelace
    Are you taking part?
    Analytical Engines|Winter
    Reading aloud|Tuesday, January 6, 2099, |6:00 – 7:30 PM
    0 of 1 lessons done|Add all 2 to my calendar
    Still to pay: |€140
    By transfer.`,
  '/p/address': '@example.com.',
  '/p/confirm': `
    Confirm your place in Analytical Engines (Winter)|with |Ada Lovelace|J|Joan Clarke
    •••@example.com|Dates|January 4 – February 12, 2099 (Paris)|Price|€240`,
  '/p/data': `
    What is kept about you for |Ada Lovelace
    Emails go to `,
  '/p/remove': 'Remove me from the lists of Ada Lovelace|Ada Lovelace|has ',
  '/p/unsubscribe': '•••@example.com|will get no more invitations from |Joan Clarke',
  '/payments': `
    Payments|Analytical Engines
    Still owed|€140|1 person
    Paid|€100
    Refunded|€0
    Winter|1 person`,
  '/payments/[id]/[enrollment]': `
    Winter|payments|GH|Grace Hopper
    Owes €140
    €240.00
    Paid|€100.00
    €140.00
    Payment|November`,
  '/settings': `
    Course settings|Analytical Engines
    This course has 1 cohort.
    name=Analytical Engines
    AL|Your account|ada|@example.com
    first_name=Ada
    last_name=Lovelace`,
  '/settings/billing': 'Your plan and invoices will appear here.',
  '/undo-address-change': 'from |m•••@example.com|to |n•••@example.com',
};

/** Without data of their own, and in their own tests. */
const others = ['/login', '/signup', '/terms', '/privacy', '/p/paid', '/p/certificate'].concat(
  '/learn/[course]/attestation',
  '/lessons/import',
  '/lessons/search',
  '/settings/payments',
);

test('every page is listed, and nothing else', () => {
  const listed = [...Object.keys(facts), ...others];
  const pages = pageList.map(({ path }) => path.replace(/(?<=.)\/$/, ''));

  expect(listed.toSorted()).toEqual(pages.toSorted());
});

test.each(pageList.filter(({ path }) => path in facts))(
  '$path shows its data in the expected order',
  async ({ path, reader }) => {
    const text = textOf((await readers[reader].get(readers.addressOf(path))).text);
    const parts = facts[path]?.trim().split(/\n\s*/) ?? [];
    let at = 0;
    const found = parts.map((part) => {
      const start = text.indexOf(part, at);
      at = start < 0 ? at : start + part.length;
      return start < 0 ? `not after ${text.slice(at, at + 300)}` : part;
    });

    expect(found).toEqual(parts);
  },
);

/** A page's texts with a bar between them, and what its inputs have, without marks of direction. */
function textOf(html: string): string {
  return html
    .replace(/<(script|style)\b.*?<\/\1>/gs, '')
    .replace(/<!-- -->/g, '')
    .replace(/<input\b[^>]*? name="(\w+)"[^>]*? value="([^"]*)"[^>]*>/g, '|$1=$2|')
    .replace(/<[^>]*>/g, '|')
    .replace(/[\u2066-\u2069]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/\|[| ]*/g, '|');
}
