import { hueOf } from '../../src/ui/brand.ts';
import { type Env, readRows, refuse } from './database.ts';

/** `GET /api/courses/` without a framework. */
export default {
  async fetch(request: Request, env: Env) {
    const rows = await readRows(request, env);
    if (rows === null) {
      return refuse();
    }
    return Response.json(
      rows.courses.map((course) => ({
        id: course.id,
        name: course.name,
        course_type: course.course_type,
        about: course.about,
        shows_outline: course.shows_outline === 1,
        hue: course.hue ?? hueOf(course.id),
        picture: course.picture,
        is_selected: course.id === course.selected_course_id,
        created_at: new Date(course.created_at).toISOString(),
        updated_at: new Date(course.updated_at).toISOString(),
      })),
    );
  },
};
