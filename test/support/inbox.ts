/**
 * All emails to an address, oldest first, as a stand-in for Resend keeps them.
 *
 * Its list contains every email in full, and a run of the browser suite sends hundreds: the page of
 * its inbox names their recipients and ids, newest first, and is a tenth as long.
 */
export async function mailsIn<Mail>(inbox: string, address: string): Promise<Mail[]> {
  const page = await (await fetch(`${inbox}/inbox`)).text();
  const [, ...entries] = page.split('<a href="/inbox/');
  const shown = address.replaceAll('&', '&amp;');
  const mine = entries.filter((entry) => {
    const [, recipients = ''] = /&rarr; ([^<]*)</.exec(entry) ?? [];
    return recipients.split(', ').includes(shown);
  });
  const ids = mine.map((entry) => entry.slice(0, entry.indexOf('"'))).reverse();
  return Promise.all(
    ids.map(async (id) => (await (await fetch(`${inbox}/emails/${id}`)).json()) as Mail),
  );
}
