// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what looks like a template is source text.
import type { Mutation } from '../mutations.ts';

export const auth: Mutation[] = [
  {
    defense: '3 · R13, R110: one link, one session',
    file: 'src/features/auth/confirm-link.ts',
    find: `      .select(session.selectFor(links.userId))
      .from(links)
      .innerJoin(users, eq(users.id, links.userId))
      .where(
        and(
          eq(links.tokenHash, tokenHash),
          eq(links.purpose, link.purpose),
          isLiveLink(now),
          fitsItsUser(ctx),
        ),
      ),`,
    replace: `      .select(session.selectFor(users.id))
      .from(users)
      .where(eq(users.id, link.userId)),`,
    project: 'workerd',
    tests: 'features/auth/confirm-link',
    named: /of 20 parallel confirmations/,
  },
  {
    defense: '7 · R28, R29: an attempt belongs to its browser',
    file: 'src/middleware/google-attempts.ts',
    find: `  if (value === undefined) {
    return null;
  }`,
    replace: `  if (value === undefined) {
    return { state, codeVerifier: '', nonce: '' };
  }`,
    project: 'workerd',
    tests: 'features/auth/google-callback',
    named: /code and state of one browser do not work in another/,
  },
  {
    defense: '8a · R32: email_verified is the boolean true',
    file: 'src/features/auth/google.ts',
    find: 'claims.email_verified !== true',
    replace: '!claims.email_verified',
    project: 'workerd',
    tests: 'features/auth/google-claims',
    named: /an address whose email_verified is/,
  },
  {
    defense: '8b · R33: what is unproven goes before an account is adopted',
    file: 'src/features/auth/sign-in-with-google.ts',
    find: 'db.delete(sessions).where(inArray(sessions.userId, unproven)),',
    replace: 'db.select().from(sessions).where(inArray(sessions.userId, unproven)),',
    project: 'workerd',
    tests: 'features/auth/google-linking',
    named: /an unverified account goes to the person Google vouches for/,
  },
  {
    defense: '14 · R105: only hashes are stored',
    file: 'src/features/auth/new-session.ts',
    find: '  const tokenHash = await hashToken(token);',
    replace: '  const tokenHash = token;',
    project: 'workerd',
    tests: 'features/auth/confirm-link',
    named: /the session cookie is for our host/,
  },
  {
    defense: '25.2: an address change: ends with a spent login link',
    file: 'src/features/auth/confirm-link.ts',
    find: 'login: { change: endChange(inArray(links.userId, winner)) },',
    replace: 'login: {},',
    project: 'workerd',
    tests: 'features/auth/stop-address-change',
    named: /when the owner logs in with a new link/,
  },
  {
    defense: '25.3: an address change: ends with a known sign-in by Google',
    file: 'src/features/auth/sign-in-with-google.ts',
    find: '    change: endChange(inArray(links.userId, sessionOwner(session.tokenHash))),\n  });',
    replace: '  });',
    project: 'workerd',
    tests: 'features/auth/stop-address-change',
    named: /with Google, not for the first time/,
  },
  {
    defense: '25.4: an address change: ends with a first sign-in by Google',
    file: 'src/features/auth/sign-in-with-google.ts',
    find: '      change: endChange(inArray(links.userId, sessionOwner(session.tokenHash))),\n      remember',
    replace: '      remember',
    project: 'workerd',
    tests: 'features/auth/stop-address-change',
    named: /when the owner logs in with Google$/,
  },
  {
    defense: '25.8: an address change: an account that is taken back has no session left',
    file: 'src/features/auth/undo-address-change.ts',
    find: 'db.delete(sessions).where(inArray(sessions.userId, winner)),',
    replace: 'db.select().from(sessions).where(inArray(sessions.userId, winner)),',
    project: 'workerd',
    tests: 'features/auth/restore-address',
    named:
      /the link in the email to the former address restores the account and ends all sessions and links/,
  },
  {
    defense: '25.9: an address change: an account is taken back once',
    file: 'src/features/auth/undo-address-change.ts',
    find: 'gte(addressRestores.createdAt, sql`(${firstLeft})`)',
    replace: 'sql`${addressRestores.createdAt} > (${firstLeft})`',
    project: 'workerd',
    tests: 'features/auth/restore-address',
    named: /a link to a former address works once/,
  },
  {
    defense: '25.10: an address change: a former address of its own account is not taken',
    file: 'src/features/auth/undo-address-change.ts',
    find: '  if (isTaken) {',
    replace: '  if (isTaken && kind === "stop") {',
    project: 'workerd',
    tests: 'features/auth/restore-address',
    named: /if the former address has an account of its own/,
  },
  {
    defense: '25.11: an address change: an account is taken back within 7 days',
    file: 'src/features/auth/find-undo.ts',
    find: '    gt(addressRestores.expiresAt, now()),\n',
    replace: '',
    project: 'workerd',
    tests: 'features/auth/restore-address',
    named: /a link to a former address is valid for 7 days/,
  },
  {
    defense: '25.12: an address change: who takes an account back is known to it',
    file: 'src/features/auth/undo-address-change.ts',
    find: 'await originsOf(ctx, deviceToken)',
    replace: '[]',
    project: 'workerd',
    tests: 'features/auth/restore-address',
    named: /a person who restores an account is logged in/,
  },
  {
    defense: '25.13: ending other sessions forgets where they were',
    file: 'src/features/auth/end-sessions.ts',
    find: '      signIns: forgetSignIns(ctx.viewer.id, await originsOf(ctx, deviceToken)),\n',
    replace: '',
    project: 'workerd',
    tests: 'features/auth/session-list',
    named: /others” forgets all known browsers and networks except the caller’s/,
  },
  {
    defense: '26.2: a part of the emails is reserved for whom the account knows',
    file: 'src/features/auth/request-login-link.ts',
    find: "known === undefined ? 'mails_per_address' : 'mails_per_address_reserved'",
    replace: "'mails_per_address'",
    project: 'workerd',
    tests: 'features/auth/known-sign-ins',
    named: /when strangers use up the emails of an address/,
  },
  {
    defense: '31: a JSON client is told that a state is invalid',
    file: 'src/features/auth/google-routes.ts',
    find: ' && asksForJson(c)',
    replace: ' && asksForJson(c) && false',
    project: 'workerd',
    tests: 'features/auth/google-callback',
    named: /a JSON client is told that a state is invalid/,
  },
];
