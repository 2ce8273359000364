/** The bindings of every twin: the built worker's database, and the limiter of its pages. */
export type Env = { DB: D1Database; FLOOD_LIMIT: RateLimit };

/** The session's row, with everything the app reads about a user. */
export type PersonRow = {
  id: string;
  first_name: string;
  last_name: string;
  email: string;
  email_canonical: string;
  pending_email: string | null;
  undeliverable: string | null;
  avatar_url: string | null;
  language: string;
  created_at: number;
  course_id: string | null;
  course_name: string | null;
  course_type: string | null;
  session_id: string;
  session_created_at: number;
  last_seen_at: number;
};

export type CourseRow = {
  id: string;
  name: string;
  course_type: string;
  about: string | null;
  shows_outline: number;
  hue: string | null;
  picture: string | null;
  created_at: number;
  updated_at: number;
  selected_course_id: string | null;
};

/** The data of a signed-in page. */
export type Rows = { person: PersonRow; courses: CourseRow[] };

const dayMs = 24 * 60 * 60 * 1000;

const liveSession = `sessions.token_hash = ?1 AND sessions.last_seen_at > ?2 AND sessions.created_at > ?3
  AND users.email_verified_at IS NOT NULL`;

const personSql = `SELECT users.id, users.first_name, users.last_name, users.email, users.email_canonical,
  links.new_email AS pending_email, undeliverable_addresses.reason AS undeliverable, users.avatar_url,
  users.language, users.created_at, courses.id AS course_id, courses.name AS course_name, courses.course_type,
  sessions.id AS session_id, sessions.created_at AS session_created_at, sessions.last_seen_at
FROM sessions
INNER JOIN users ON users.id = sessions.user_id
LEFT JOIN courses ON courses.owner_id = users.id AND courses.id = users.selected_course_id
LEFT JOIN undeliverable_addresses ON undeliverable_addresses.email_canonical = users.email_canonical
LEFT JOIN links ON links.user_id = users.id AND links.purpose = 'address_change' AND links.expires_at > ?4
WHERE ${liveSession}`;

const coursesSql = `SELECT courses.id, courses.name, courses.course_type, courses.about,
  courses.shows_outline, courses.hue, courses.picture, courses.created_at, courses.updated_at,
  users.selected_course_id
FROM sessions
INNER JOIN users ON users.id = sessions.user_id
INNER JOIN courses ON courses.owner_id = users.id
WHERE ${liveSession}
ORDER BY courses.created_at, courses.id`;

/**
 * The user of the cookie and their courses, as the app reads them in one batch. Null without a
 * session.
 */
export async function readRows(request: Request, { DB, FLOOD_LIMIT }: Env): Promise<Rows | null> {
  // Simulated here, it costs more than at Cloudflare, so that worker and twins both have to ask it.
  await FLOOD_LIMIT.limit({ key: request.headers.get('CF-Connecting-IP') ?? '' });
  const cookies = request.headers.get('Cookie') ?? '';
  const [, token] = /(?:^|; )__Host-session=([0-9a-f]{64})(?:;|$)/.exec(cookies) ?? [];
  if (token === undefined) {
    return null;
  }
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
  const hash = new Uint8Array(digest).toHex();
  const now = Date.now();
  const deadlines = [now - 30 * dayMs, now - 90 * dayMs];
  const [people, courses] = await DB.batch([
    DB.prepare(personSql).bind(hash, ...deadlines, now),
    DB.prepare(coursesSql).bind(hash, ...deadlines),
  ]);
  // The columns of the two statements above.
  const [person] = (people?.results ?? []) as PersonRow[];
  return person === undefined ? null : { person, courses: (courses?.results ?? []) as CourseRow[] };
}

/** The twins' answer without a session. */
export function refuse(): Response {
  return new Response('Not signed in.', { status: 401 });
}
