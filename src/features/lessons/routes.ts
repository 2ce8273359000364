import 'server-only';
import { msg } from '@lingui/core/macro';
import type { HonoRequest } from 'hono';
import { Hono } from 'hono/tiny';
import * as z from 'zod/mini';
import { describe } from '#api/describe.ts';
import { done } from '#api/done.ts';
import { jsonInput } from '#api/json-input.ts';
import { idempotencyKey, idempotencyKeyHeader } from '#api/request.ts';
import { findCohortRow, requireDated } from '#features/cohorts/get-cohort.ts';
import { Course, CourseCopyInput } from '#features/courses/schema.ts';
import { orNotFound } from '#features/identity/find-actor.ts';
import { requireViewer } from '#features/identity/require-viewer.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import {
  changeLesson,
  duplicateLesson,
  moveLesson,
  restoreLesson,
  trashLesson,
} from './change-lesson.ts';
import { clearOpening, setOpening } from './change-opening.ts';
import { changeSection, createSection, deleteSection, moveSection } from './change-section.ts';
import { createLesson } from './create-lesson.ts';
import { duplicateCourse, findCourseParts } from './duplicate-course.ts';
import { findContent } from './find-content.ts';
import { getLesson } from './find-lesson.ts';
import { findOpenings, toCohortSections } from './find-openings.ts';
import { publishLesson, unpublishLesson } from './publish-lesson.ts';
import { saveDraft } from './save-draft.ts';
import {
  CohortSection,
  CourseContent,
  DraftInput,
  Lesson,
  LessonChanged,
  LessonInput,
  LessonMove,
  LessonPatch,
  LessonVersion,
  LessonVersionText,
  OpeningInput,
  OutlineSection,
  PublishInput,
  SavedDraft,
  SectionInput,
  SectionMove,
  SectionPatch,
} from './schema.ts';
import { findVersion, listVersions, restoreVersion } from './versions.ts';

const keyHeader = {
  ...idempotencyKeyHeader,
  description: msg`Any text that is new for each request; the same one sent again with the same key creates nothing more. With another body it is refused as long as what it created is unchanged`,
};

const idOf = (request: HonoRequest) => request.param('id') ?? '';

/** /api/courses/{id}: the content of one of the caller's courses. */
export const contentRoutes = new Hono<HonoEnv>()
  .get(
    '/:id/content/',
    describe({
      summary: msg`The sections and lessons of a course in their order, without those in the trash`,
      answers: { 200: CourseContent },
    }),
    requireViewer((request) => ({ content: orNotFound(findContent(idOf(request))) })),
    (c) => c.json(c.get('own').content),
  )
  .post(
    '/:id/duplicate/',
    describe({
      summary: msg`Copies a course with its sections, lessons and files, without people, and selects the copy`,
      answers: { 201: Course },
      errors: ['too_many_lessons_in_all', 'idempotency_key_reused'],
      headers: [keyHeader],
    }),
    requireViewer((request) => ({ parts: orNotFound(findCourseParts(idOf(request))) })),
    jsonInput(CourseCopyInput),
    async (c) => {
      const [ctx, key, { parts }] = [c.get('viewerCtx'), idempotencyKey(c), c.get('own')];
      return c.json(await duplicateCourse(ctx, parts, c.req.valid('json'), key), 201);
    },
  )
  .post(
    '/:id/sections/',
    describe({
      summary: msg`Creates a section at the end of a course`,
      answers: { 201: OutlineSection },
      errors: ['too_many_sections', 'idempotency_key_reused'],
      headers: [keyHeader],
    }),
    requireViewer(),
    jsonInput(SectionInput),
    async (c) => {
      const [ctx, key] = [c.get('viewerCtx'), idempotencyKey(c)];
      return c.json(await createSection(ctx, c.req.param('id'), c.req.valid('json'), key), 201);
    },
  )
  .post(
    '/:id/lessons/',
    describe({
      summary: msg`Creates a lesson at the end of the last section of a course, as a draft`,
      answers: { 201: Lesson },
      errors: ['too_many_lessons', 'idempotency_key_reused'],
      headers: [keyHeader],
    }),
    requireViewer(),
    jsonInput(LessonInput),
    async (c) => {
      const [ctx, key, courseId] = [c.get('viewerCtx'), idempotencyKey(c), c.req.param('id')];
      return c.json(await createLesson(ctx, { courseId }, c.req.valid('json'), key), 201);
    },
  );

/** /api/sections: the parts of the caller's courses. */
export const sectionRoutes = new Hono<HonoEnv>()
  .patch(
    '/:id/',
    describe({
      summary: msg`Changes the title of a section, or after how many days it opens`,
      answers: { 200: OutlineSection },
    }),
    requireViewer(),
    jsonInput(SectionPatch),
    async (c) =>
      c.json(await changeSection(c.get('viewerCtx'), c.req.param('id'), c.req.valid('json'))),
  )
  .delete(
    '/:id/',
    describe({
      summary: msg`Deletes a section without lessons`,
      answers: { 204: null },
      errors: ['section_has_lessons'],
    }),
    requireViewer(),
    (c) => done(c, deleteSection(c.get('viewerCtx'), c.req.param('id'))),
  )
  .post(
    '/:id/move/',
    describe({
      summary: msg`Moves a section before another one, or to the end`,
      answers: { 200: CourseContent },
    }),
    requireViewer(),
    jsonInput(SectionMove),
    async (c) =>
      c.json(await moveSection(c.get('viewerCtx'), c.req.param('id'), c.req.valid('json'))),
  )
  .post(
    '/:id/lessons/',
    describe({
      summary: msg`Creates a lesson at the end of a section, as a draft`,
      answers: { 201: Lesson },
      errors: ['too_many_lessons', 'idempotency_key_reused'],
      headers: [keyHeader],
    }),
    requireViewer(),
    jsonInput(LessonInput),
    async (c) => {
      const [ctx, key, sectionId] = [c.get('viewerCtx'), idempotencyKey(c), c.req.param('id')];
      return c.json(await createLesson(ctx, { sectionId }, c.req.valid('json'), key), 201);
    },
  );

const readCohort = (request: HonoRequest) => ({ cohort: findCohortRow(idOf(request)) });

/** /api/cohorts/{id}/sections: when the sections of a course open in one of the caller's cohorts. */
export const openingRoutes = new Hono<HonoEnv>()
  .get(
    '/:id/sections/',
    describe({
      summary: msg`The sections of a cohort’s course in their order, with when they open there`,
      answers: { 200: z.array(CohortSection) },
      errors: ['course_self_paced'],
    }),
    requireViewer((request) => ({
      ...readCohort(request),
      openings: findOpenings(idOf(request)),
    })),
    async (c) => {
      requireDated(c.get('own').cohort);
      return c.json(await toCohortSections(c.get('own').openings));
    },
  )
  .put(
    '/:id/sections/:section/',
    describe({
      summary: msg`Opens a section in a cohort on a date or with a live session, or hides it there, instead of what the course says`,
      answers: { 200: CohortSection },
      errors: ['course_self_paced', 'cohort_in_trash', 'dates_changed'],
    }),
    requireViewer(readCohort),
    jsonInput(OpeningInput),
    async (c) => {
      const [ctx, { cohort }] = [c.get('viewerCtx'), c.get('own')];
      return c.json(await setOpening(ctx, cohort, c.req.param('section'), c.req.valid('json')));
    },
  )
  .delete(
    '/:id/sections/:section/',
    describe({
      summary: msg`Opens a section in a cohort as the course says`,
      answers: { 204: null },
      errors: ['course_self_paced', 'cohort_in_trash'],
    }),
    requireViewer(readCohort),
    (c) => done(c, clearOpening(c.get('viewerCtx'), c.get('own').cohort, c.req.param('section'))),
  );

/** /api/lessons: the caller's lessons. */
export const lessonRoutes = new Hono<HonoEnv>()
  .get(
    '/:id/',
    describe({ summary: msg`One of the caller’s lessons`, answers: { 200: Lesson } }),
    requireViewer((request) => ({ lesson: getLesson(idOf(request)) })),
    (c) => c.json(c.get('own').lesson),
  )
  .patch(
    '/:id/',
    describe({
      summary: msg`Changes the reading time of a lesson, or the title of its draft`,
      answers: { 200: Lesson },
    }),
    requireViewer(),
    jsonInput(LessonPatch),
    async (c) =>
      c.json(await changeLesson(c.get('viewerCtx'), c.req.param('id'), c.req.valid('json'))),
  )
  .delete(
    '/:id/',
    describe({
      summary: msg`Moves a lesson to the trash, from where it is deleted after 30 days`,
      answers: { 204: null },
    }),
    requireViewer(),
    (c) => done(c, trashLesson(c.get('viewerCtx'), c.req.param('id'))),
  )
  .put(
    '/:id/draft/',
    describe({
      summary: msg`Saves the draft of a lesson, unless it was changed since the version that it is based on; then what was sent is kept as a version`,
      answers: { 200: SavedDraft },
      errors: ['lesson_changed'],
      errorDetails: { lesson_changed: LessonChanged },
    }),
    requireViewer(),
    jsonInput(DraftInput),
    async (c) =>
      c.json(await saveDraft(c.get('viewerCtx'), c.req.param('id'), c.req.valid('json'))),
  )
  .post(
    '/:id/publish/',
    describe({
      summary: msg`Shows the draft of a lesson to participants, unless it is newer than the given version`,
      answers: { 200: Lesson },
      errors: ['lesson_changed', 'lesson_empty'],
      errorDetails: { lesson_changed: LessonChanged },
    }),
    requireViewer((request) => ({ lesson: getLesson(idOf(request)) })),
    jsonInput(PublishInput),
    async (c) => {
      const { draft_version: version } = c.req.valid('json');
      return c.json(await publishLesson(c.get('viewerCtx'), c.get('own').lesson, version));
    },
  )
  .post(
    '/:id/unpublish/',
    describe({
      summary: msg`Hides a lesson from participants again; what they have done is kept`,
      answers: { 200: Lesson },
    }),
    requireViewer(),
    async (c) => c.json(await unpublishLesson(c.get('viewerCtx'), c.req.param('id'))),
  )
  .post(
    '/:id/restore/',
    describe({
      summary: msg`Takes a lesson out of the trash, to where it was`,
      answers: { 200: Lesson },
      errors: ['too_many_lessons'],
    }),
    requireViewer(),
    async (c) => c.json(await restoreLesson(c.get('viewerCtx'), c.req.param('id'))),
  )
  .post(
    '/:id/duplicate/',
    describe({
      summary: msg`Copies the draft of a lesson to a new one after it`,
      answers: { 201: Lesson },
      errors: ['too_many_lessons'],
    }),
    requireViewer(),
    async (c) => c.json(await duplicateLesson(c.get('viewerCtx'), c.req.param('id')), 201),
  )
  .post(
    '/:id/move/',
    describe({
      summary: msg`Moves a lesson before another one of a section, or to its end`,
      answers: { 200: CourseContent },
    }),
    requireViewer(),
    jsonInput(LessonMove),
    async (c) =>
      c.json(await moveLesson(c.get('viewerCtx'), c.req.param('id'), c.req.valid('json'))),
  )
  .get(
    '/:id/versions/',
    describe({
      summary: msg`The earlier versions of a lesson, the newest first: the last 50, and for a year what was published`,
      answers: { 200: z.array(LessonVersion) },
    }),
    requireViewer((request) => ({ versions: listVersions(idOf(request)) })),
    (c) => c.json(c.get('own').versions),
  )
  .get(
    '/:id/versions/:version/',
    describe({
      summary: msg`One of its versions, with the text`,
      answers: { 200: LessonVersionText },
    }),
    requireViewer((request) => ({
      version: orNotFound(findVersion(idOf(request), request.param('version') ?? '')),
    })),
    (c) => c.json(c.get('own').version),
  )
  .post(
    '/:id/versions/:version/restore/',
    describe({
      summary: msg`Makes a version the draft of its lesson again; the current draft is kept as a version`,
      answers: { 200: Lesson },
    }),
    requireViewer(),
    async (c) => {
      const { id, version } = c.req.param();
      return c.json(await restoreVersion(c.get('viewerCtx'), id, version));
    },
  );
