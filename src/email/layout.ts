import 'server-only';
import type { I18n, MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { html } from 'hono/html';
import type { Locale } from '#db/values.ts';
import { i18nFor } from '#i18n/server.ts';
import type { Message } from './send.ts';

export type Addressee = { email: string; firstName: string; language: Locale };

/** The request that caused an email. */
export type Asked = {
  at: Date;
  /** Its common name; null if we do not know it. */
  browser: string | null;
};

/** The texts of an email, which is written in the recipient's language. */
type Mail = {
  subject: MessageDescriptor;
  /** By default, with the recipient's first name. */
  greeting?: MessageDescriptor;
  paragraph: MessageDescriptor;
  /** The email's link; a notice has none. */
  action?: {
    label: MessageDescriptor;
    link: string;
    /** Six digits that can be typed instead of opening the link. */
    code?: string;
    /** How long the link is valid, and that it works once. */
    validity: MessageDescriptor;
    /** When and in which browser the link was requested; absent if it was sent unprompted. */
    asked?: Asked;
  };
  notMine: MessageDescriptor;
};

/**
 * An email with at most one link, as HTML and as plain text. `html` escapes every value; the link's
 * address is visible, so that people see where it leads and can copy it.
 */
export async function composeMail(to: Addressee, mail: Mail): Promise<Message> {
  const i18n = i18nFor(to.language);
  const { firstName } = to;
  const subject = i18n._(mail.subject);
  const greeting = i18n._(mail.greeting ?? msg`Hello ${firstName},`);
  const paragraph = i18n._(mail.paragraph);
  const notMine = i18n._(mail.notMine);
  const { link, code, asked } = mail.action ?? {};
  const codeBlock = code === undefined ? undefined : codeOf(code, i18n);
  const validity = mail.action && i18n._(mail.action.validity);
  const askedText = asked && askedFor(asked, i18n, to.language);
  const document = html`<!doctype html>
<html lang="${to.language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${subject}</title></head>
<body style="margin:0;background:#f7f4ee;color:#23211d;font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;font-size:16px;line-height:1.5">
<div style="max-width:32rem;margin:0 auto;padding:40px 24px">
<p style="margin:0 0 32px;font-family:Georgia,serif;font-size:20px;font-weight:600">Lectern</p>
<p style="margin:0 0 16px">${greeting}</p>
<p style="margin:0 0 24px">${paragraph}</p>
${codeBlock && codeHtml(codeBlock)}
${mail.action && actionHtml(mail.action, i18n)}
${askedText && html`<p style="margin:0 0 24px;font-size:14px;color:#5f5a51">${askedText}</p>`}
<p style="margin:0;padding-top:24px;border-top:1px solid #ddd6c9;font-size:14px;color:#5f5a51">${notMine}</p>
</div>
</body>
</html>`;
  const codeText = codeBlock && codeAsText(codeBlock, i18n);
  const lines = [greeting, paragraph, codeText, link, validity, askedText, notMine, 'Lectern'];
  const text = lines.filter((line) => line !== undefined).join('\n\n');
  return { to: to.email, subject, html: String(await document), text };
}

/** `Asked for on 21 November 2026 at 06:55 UTC, from Firefox (Windows).` */
function askedFor({ at, browser }: Asked, i18n: I18n, locale: Locale): string {
  const format = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const;
  const moment = `${new Intl.DateTimeFormat(locale === 'en' ? 'en-GB' : locale, format).format(at)} UTC`;
  return browser === null
    ? i18n._(msg`Requested on ${moment}.`)
    : i18n._(msg`Requested on ${moment} from ${browser}.`);
}

type CodeBlock = { label: string; digits: string; warning: string };

function codeOf(code: string, i18n: I18n): CodeBlock {
  return {
    label: i18n._(msg`Your code`),
    digits: `${code.slice(0, 3)} ${code.slice(3)}`,
    warning: i18n._(msg`Never share this code. We’ll never ask you for it.`),
  };
}

function codeHtml({ label, digits, warning }: CodeBlock) {
  return html`<p style="margin:0 0 4px;font-size:14px;color:#5f5a51">${label}</p>
<p style="margin:0 0 4px;font-family:ui-monospace,Menlo,Consolas,monospace;font-size:28px;font-weight:600;letter-spacing:0.08em;white-space:nowrap">${digits}</p>
<p style="margin:0 0 24px;font-size:14px;color:#5f5a51">${warning}</p>`;
}

function codeAsText({ label, digits: value, warning }: CodeBlock, i18n: I18n): string {
  return `${i18n._(msg`${label}: ${value}`)}\n${warning}`;
}

function actionHtml({ label, link, validity }: NonNullable<Mail['action']>, i18n: I18n) {
  const copyHint = i18n._(msg`If the button doesn’t work, copy this address into your browser:`);
  return html`<p style="margin:0 0 24px"><a href="${link}" style="display:inline-block;padding:12px 24px;border-radius:8px;background:#12515a;color:#ffffff;text-decoration:none;font-weight:600">${i18n._(label)}</a></p>
<p style="margin:0 0 24px">${i18n._(validity)}</p>
<p style="margin:0 0 4px;font-size:14px;color:#5f5a51">${copyHint}</p>
<p style="margin:0 0 24px;font-size:14px;word-break:break-all"><a href="${link}" style="color:#12515a">${link}</a></p>`;
}
