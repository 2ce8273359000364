import 'server-only';
import { msg } from '@lingui/core/macro';
import type { HonoRequest } from 'hono';
import { Hono } from 'hono/tiny';
import { describe } from '#api/describe.ts';
import { jsonInput } from '#api/json-input.ts';
import { idempotencyKey, idempotencyKeyHeader } from '#api/request.ts';
import { requireViewer } from '#features/identity/require-viewer.ts';
import { findStanding } from '#features/outbox/standing.ts';
import { findOwnCohort } from '#features/planning/own-cohorts.ts';
import { requireFound } from '#lib/app-error.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { announceChanges, dismissChanges } from './announce-changes.ts';
import {
  AnnouncementInput,
  AnnouncementSent,
  DismissalInput,
  MessageInput,
  MessagePreview,
  MessageSent,
} from './schema.ts';
import { previewMessage, sendMessage } from './send-message.ts';

const keyHeader = {
  ...idempotencyKeyHeader,
  description: msg`Any text that is new for each email to the group; the same request sent again with the same key sends nothing more`,
};

const readCohort = (request: HonoRequest) => ({
  cohort: findOwnCohort(request.param('id') ?? ''),
});

/** /api/cohorts/{id}: what is written to everyone in one of the caller's cohorts. */
export const messages = new Hono<HonoEnv>()
  .post(
    '/:id/messages/',
    describe({
      summary: msg`Emails everyone who is enrolled in a cohort, those of them who are stuck or still owe something, its waitlist, or chosen people`,
      answers: { 200: MessagePreview, 202: MessageSent },
      errors: [
        'cohort_in_trash',
        'cohort_archived',
        'messages_paused',
        'message_without_recipients',
        'idempotency_key_reused',
      ],
      headers: [keyHeader],
    }),
    requireViewer((request) => ({ ...readCohort(request), standing: findStanding })),
    jsonInput(MessageInput),
    async (c) => {
      const [ctx, own, key] = [c.get('viewerCtx'), c.get('own'), idempotencyKey(c)];
      const [cohort, input] = [requireFound(own.cohort), c.req.valid('json')];
      return input.dry_run
        ? c.json(await previewMessage(ctx, cohort, own.standing, input), 200)
        : c.json(await sendMessage(ctx, cohort, own.standing, input, key), 202);
    },
  )
  .post(
    '/:id/announcements/',
    describe({
      summary: msg`Tells everyone who is enrolled what has changed about the live sessions`,
      answers: { 202: AnnouncementSent },
      errors: [
        'cohort_in_trash',
        'cohort_archived',
        'course_self_paced',
        'nothing_to_announce',
        'idempotency_key_reused',
      ],
      headers: [keyHeader],
    }),
    requireViewer(readCohort),
    jsonInput(AnnouncementInput),
    async (c) => {
      const [ctx, key] = [c.get('viewerCtx'), idempotencyKey(c)];
      const cohort = requireFound(c.get('own').cohort);
      return c.json(await announceChanges(ctx, cohort, c.req.valid('json'), key), 202);
    },
  )
  .post(
    '/:id/announcements/dismiss/',
    describe({
      summary: msg`Marks all changes to the live sessions as announced, without sending an email`,
      answers: { 204: null },
      errors: ['cohort_in_trash', 'cohort_archived', 'changes_outdated', 'course_self_paced'],
    }),
    requireViewer(readCohort),
    jsonInput(DismissalInput),
    async (c) => {
      const cohort = requireFound(c.get('own').cohort);
      await dismissChanges(c.get('viewerCtx'), cohort, c.req.valid('json'));
      return c.body(null, 204);
    },
  );
