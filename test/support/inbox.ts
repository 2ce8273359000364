import { inboxReaders } from '../../scripts/local/inbox-readers.ts';

/** Of this process. */
const headers = { Authorization: `Bearer ${inboxReaders[process.pid % inboxReaders.length]}` };

/** Emails never change, so each is read once. */
const known = new Map<string, unknown>();

/**
 * All emails to an address, oldest first, as a stand-in for Resend keeps them.
 *
 * Its list contains every email in full, and a run of the browser suite sends hundreds: the page of
 * its inbox names their recipients and ids, newest first, and is a tenth as long.
 *
 * @throws if the inbox refuses to answer
 */
export async function mailsIn<Mail>(inbox: string, address: string): Promise<Mail[]> {
  const page = await (await read(`${inbox}/inbox`)).text();
  const [, ...entries] = page.split('<a href="/inbox/');
  const shown = address.replaceAll('&', '&amp;');
  const mine = entries.filter((entry) => {
    const [, recipients = ''] = /&rarr; ([^<]*)</.exec(entry) ?? [];
    return recipients.split(', ').includes(shown);
  });
  const ids = mine.map((entry) => entry.slice(0, entry.indexOf('"'))).reverse();
  return Promise.all(ids.map((id) => mailAt<Mail>(`${inbox}/emails/${id}`)));
}

async function mailAt<Mail>(url: string): Promise<Mail> {
  const mail = (known.get(url) as Mail | undefined) ?? ((await (await read(url)).json()) as Mail);
  known.set(url, mail);
  return mail;
}

async function read(url: string): Promise<Response> {
  const response = await fetch(url, { headers });
  if (!response.ok) {
    throw new Error(`${url} answers ${response.status}: ${await response.text()}`);
  }
  return response;
}
