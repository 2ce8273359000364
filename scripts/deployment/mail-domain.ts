import { Resolver } from 'node:dns/promises';
import type { Finding } from './findings.ts';

/** Looks up a name's TXT records: empty if there are none, null if no name server answers. */
type LookUp = (name: string) => Promise<string[] | null>;

/** Checks a sending domain's DNS: SPF, DKIM and DMARC, as Resend and receivers want them. */
export async function checkMailDomain(domain: string, server?: string): Promise<Finding[]> {
  const resolver = new Resolver({ timeout: 3000, tries: 1 });
  if (server !== undefined) {
    resolver.setServers([server]);
  }
  // Without network access even this lookup fails, and every record would look missing.
  const hasAnswers = await resolver.resolveNs('com').then(
    () => true,
    () => false,
  );
  if (!hasAnswers) {
    const text = `The DNS of ${domain} (SPF, DKIM, DMARC): no name server answers.`;
    return [{ kind: 'unchecked', text }];
  }
  const lookUp: LookUp = async (name) => {
    try {
      return (await resolver.resolveTxt(name)).map((parts) => parts.join(''));
    } catch (error) {
      const { code } = error as { code?: string };
      return code === 'ENOTFOUND' || code === 'ENODATA' ? [] : null;
    }
  };
  return Promise.all([
    checkSpf(domain, lookUp),
    checkDkim(domain, lookUp),
    checkDmarc(domain, lookUp),
  ]);
}

async function checkSpf(domain: string, lookUp: LookUp): Promise<Finding> {
  // Resend's default, and the location with a custom return path.
  const [atSend, atDomain] = await Promise.all([lookUp(`send.${domain}`), lookUp(domain)]);
  if (atSend === null || atDomain === null) {
    return { kind: 'unchecked', text: `SPF of ${domain}: no name server answers.` };
  }
  return [...atSend, ...atDomain].some((text) =>
    /^v=spf1\b.*\binclude:amazonses\.com\b/i.test(text),
  )
    ? { kind: 'fine', text: `SPF of ${domain}` }
    : {
        kind: 'missing',
        text: `SPF of ${domain}: send.${domain} has no TXT record with "v=spf1 include:amazonses.com ~all". Resend shows it under Domains.`,
      };
}

async function checkDkim(domain: string, lookUp: LookUp): Promise<Finding> {
  const name = `resend._domainkey.${domain}`;
  const texts = await lookUp(name);
  if (texts === null) {
    return { kind: 'unchecked', text: `DKIM of ${domain}: no name server answers.` };
  }
  return texts.some((text) => /\bp=[A-Za-z0-9+/]{64,}/.test(text))
    ? { kind: 'fine', text: `DKIM of ${domain}` }
    : {
        kind: 'missing',
        text: `DKIM of ${domain}: ${name} has no TXT record with a key. Resend shows it under Domains.`,
      };
}

async function checkDmarc(domain: string, lookUp: LookUp): Promise<Finding> {
  const advice = `Make a TXT record _dmarc.${domain} with "v=DMARC1; p=quarantine".`;
  const labels = domain.split('.');
  // A domain without a policy has the policy of its parent domain.
  for (let skipped = 0; skipped <= Math.max(0, labels.length - 2); skipped += 1) {
    const texts = await lookUp(`_dmarc.${labels.slice(skipped).join('.')}`);
    if (texts === null) {
      return { kind: 'unchecked', text: `DMARC of ${domain}: no name server answers.` };
    }
    const record = texts.find((text) => /^v=DMARC1\b/i.test(text));
    if (record !== undefined) {
      const [, own] = /;\s*p=(\w+)/i.exec(record) ?? [];
      const [, forOthers] = /;\s*sp=(\w+)/i.exec(record) ?? [];
      const policy = (skipped > 0 ? (forOthers ?? own) : own)?.toLowerCase();
      return policy === 'quarantine' || policy === 'reject'
        ? { kind: 'fine', text: `DMARC of ${domain}: ${policy}` }
        : {
            kind: 'missing',
            text: `DMARC of ${domain}: the policy is ${policy ?? 'missing'}, so forged mails are delivered. ${advice}`,
          };
    }
  }
  return { kind: 'missing', text: `DMARC of ${domain}: there is no policy. ${advice}` };
}
