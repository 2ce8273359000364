import { expect, test } from 'vitest';
import { CourseInput } from '#features/courses/schema.ts';
import { validation } from '#features/courses/vocabulary.ts';
import { i18nFor } from '#i18n/server.ts';
import { formMessages } from '#i18n/validation.ts';

test.each([undefined, '', 'ab', 'x'.repeat(255), 'x'.repeat(3000), 'abc\u0000'])(
  'the dialog for a new course has a message for each refusal of a name: %#',
  (name) => {
    const { error } = CourseInput.safeParse({ name, course_type: 'neither' });
    const codes = error?.issues.map(({ message }) => message) ?? [];

    expect(codes).toHaveLength(2);
    const messages = formMessages(i18nFor('en'), validation);
    expect(codes.filter((code) => !(code in messages))).toEqual([]);
  },
);
