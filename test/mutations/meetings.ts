// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what looks like a template is source text.
import type { Mutation } from './all.ts';

const list = 'src/features/meetings/list-meetings.ts';
const people = 'src/features/meetings/public-meetings.ts';

export const meetings: Mutation[] = [
  {
    defense: '54: the sessions of a cohort are listed for their owner only',
    file: list,
    find: '.where(and(eq(meetings.cohortId, cohortId), eq(meetings.ownerId, ownerId)))',
    replace: '.where(eq(meetings.cohortId, cohortId))',
    project: 'workerd',
    tests: 'features/meetings/schedule',
    named: /nothing of the schedule of another instructor/,
  },
  {
    defense: '54: a session is found by its owner only',
    file: list,
    find: 'eq(meetings.id, id), eq(meetings.cohortId, cohortId), eq(meetings.ownerId, ownerId)',
    replace: 'eq(meetings.id, id), eq(meetings.cohortId, cohortId)',
    project: 'workerd',
    tests: 'features/meetings/schedule',
    named: /nothing of the schedule of another instructor/,
  },
  {
    defense: '54: a cohort holds 200 sessions, however they are added',
    file: 'src/features/meetings/create-meetings.ts',
    find: 'AND ${hasRoomFor(cohort.id, rows.length)}',
    replace: '',
    project: 'workerd',
    tests: 'features/meetings/meetings',
    named: /a cohort holds 200 sessions at most/,
  },
  {
    defense: '45: a session is not at a time that clocks skip',
    file: 'src/features/meetings/meeting-times.ts',
    find: 'if (startsAt === null) {\n    refuse',
    replace: 'if (startsAt !== startsAt) {\n    refuse',
    project: 'workerd',
    tests: 'features/meetings/times',
    named: /refused/,
  },
  {
    defense: '54: where sessions meet online is for enrolled people only',
    file: people,
    find: 'CASE WHEN ${isIn} THEN coalesce(m.join_url, c.join_url) END',
    replace: 'coalesce(m.join_url, c.join_url)',
    project: 'workerd',
    tests: 'features/meetings/schedule',
    named: /where sessions meet online is for enrolled people only/,
  },
  {
    defense: '54: no session moves unseen',
    file: 'src/features/cohorts/move-cohort.ts',
    find: '            eq(markOf(sql`${cohorts.id}`), kept.mark),\n',
    replace: '',
    project: 'workerd',
    tests: 'features/meetings/move',
    named: /one that comes after the request has read them refuses it too/,
  },
];
