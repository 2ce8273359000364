import { MutationCache, QueryClient, queryOptions } from '@tanstack/react-query';

export type Account = {
  id: string;
  first_name: string;
  last_name: string;
  email: string;
  pending_email?: string;
  avatar: string | null;
  language: Language;
};
export type Language = 'en' | 'fr';
export type CourseType = 'evergreen' | 'cohort';
export type Course = {
  id: string;
  name: string;
  course_type: CourseType;
  is_selected: boolean;
};
export type Session = {
  id: string;
  user_agent: string;
  is_current: boolean;
  created_at: string;
};

type ErrorBody = {
  code: string;
  message: string;
  request_id?: string;
  fields?: Record<string, string[]>;
};
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** A failed request. Without a status there was no answer. */
export class ApiError extends Error {
  readonly status: number | null;
  readonly body: ErrorBody | null;

  constructor(status: number | null, body: ErrorBody | null) {
    super(body?.message ?? 'The request failed.');
    this.status = status;
    this.body = body;
  }
}

/**
 * Calls the product's own API.
 *
 * @throws ApiError for every answer that is not a success
 */
export async function request<Data>(method: Method, path: string, input?: unknown): Promise<Data> {
  const response = await fetch(path, {
    method,
    headers: {
      Accept: 'application/json',
      ...(method !== 'GET' && { 'X-CSRFToken': csrfToken() }),
      ...(input !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(input !== undefined && { body: JSON.stringify(input) }),
  }).catch(() => null);
  if (response === null) {
    throw new ApiError(null, null);
  }
  const body = response.status === 204 ? null : await response.json().catch(() => null);
  if (!response.ok) {
    throw new ApiError(response.status, body);
  }
  return body;
}

function csrfToken(): string {
  return /(?:^|; )(?:__Host-)?csrftoken=([^;]*)/.exec(document.cookie)?.[1] ?? '';
}

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: () => request<Account>('GET', '/api/accounts/auth/user/'),
  staleTime: 30_000,
});
export const coursesQuery = queryOptions({
  queryKey: ['courses'],
  queryFn: () => request<Course[]>('GET', '/api/courses/'),
  staleTime: 30_000,
});
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: () => request<Session[]>('GET', '/api/accounts/auth/sessions/'),
  staleTime: 30_000,
});

type Failure = { error: ApiError; retry: () => void };
const failures = new EventTarget();

/** Reports every failed change, except those that a form shows at its fields. */
export function onFailure(listener: (failure: Failure) => void): () => void {
  const handle = (event: Event) => listener((event as CustomEvent<Failure>).detail);
  failures.addEventListener('failure', handle);
  return () => failures.removeEventListener('failure', handle);
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (count, error) => !(error instanceof ApiError && error.status === 401) && count < 2,
    },
  },
  mutationCache: new MutationCache({
    onError(error, variables, _, mutation) {
      if (error instanceof ApiError && error.body?.fields === undefined) {
        const retry = () => void mutation.execute(variables).catch(() => {});
        failures.dispatchEvent(new CustomEvent('failure', { detail: { error, retry } }));
      }
    },
  }),
});
