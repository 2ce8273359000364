import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { toast } from 'sonner';
import {
  type Account,
  accountQuery,
  type Course,
  type CourseType,
  coursesQuery,
  request,
  type Session,
  sessionsQuery,
} from './api.ts';

export function useAccount(): Account {
  return useSuspenseQuery(accountQuery).data;
}

export function useCourses(): Course[] {
  return useSuspenseQuery(coursesQuery).data;
}

export function useSessions(): Session[] {
  return useSuspenseQuery(sessionsQuery).data;
}

/** The selected course; every user of these pages has one. */
export function useSelectedCourse(): Course {
  const courses = useCourses();
  const selected = courses.find(({ is_selected: isSelected }) => isSelected) ?? courses[0];
  if (selected === undefined) {
    throw new Error('There is no course.');
  }
  return selected;
}

/** Selects a course optimistically, and reverts when the API refuses. */
export function useSelectCourse() {
  const client = useQueryClient();
  const { queryKey } = coursesQuery;
  return useMutation({
    mutationFn: (id: string) => request<Course>('POST', `/api/courses/${id}/select/`),
    onMutate: async (id) => {
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData(queryKey);
      client.setQueryData(queryKey, (courses) =>
        courses?.map((course) => ({ ...course, is_selected: course.id === id })),
      );
      return { before };
    },
    onError: (_, __, context) => client.setQueryData(queryKey, context?.before),
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
}

export type CourseInput = { name: string; course_type: CourseType };

export function useCreateCourse() {
  const client = useQueryClient();
  const { t } = useTranslation();
  return useMutation({
    mutationFn: (input: CourseInput) => request<Course>('POST', '/api/courses/', input),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: coursesQuery.queryKey });
      toast(t('course.created'));
    },
  });
}

export function useChangeCourse(id: string) {
  const client = useQueryClient();
  const { t } = useTranslation();
  return useMutation({
    mutationFn: (input: CourseInput) => request<Course>('PATCH', `/api/courses/${id}/`, input),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: coursesQuery.queryKey });
      toast(t('course.saved'));
    },
  });
}

export function useDeleteCourse(id: string) {
  const client = useQueryClient();
  const { t } = useTranslation();
  return useMutation({
    mutationFn: () => request<null>('DELETE', `/api/courses/${id}/`),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: coursesQuery.queryKey });
      toast(t('course.deleted'));
    },
  });
}

type AccountPatch = Partial<Pick<Account, 'first_name' | 'last_name' | 'email' | 'language'>>;

/** @param said the message on success; none if the result is visible */
export function useChangeAccount(id: string, said?: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: AccountPatch) => request<Account>('PATCH', `/api/accounts/${id}/`, input),
    onSuccess: (account) => {
      client.setQueryData(accountQuery.queryKey, account);
      if (said !== undefined) {
        toast(said);
      }
    },
  });
}

/** @param id of a session, or `others` */
export function useEndSession(id: string, said: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => request<null>('DELETE', `/api/accounts/auth/sessions/${id}/`),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: sessionsQuery.queryKey });
      toast(said);
    },
  });
}

export function useLogOut() {
  return useMutation({
    mutationFn: () => request<null>('POST', '/api/accounts/auth/logout/'),
    onSuccess: () => window.location.assign('/login'),
  });
}
