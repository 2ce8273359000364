import type { Examples } from '#support/examples.ts';

export const examples: Examples = {
  'POST /api/courses/{otherCourse}/imports/': {
    input: {
      sections: [
        {
          title: 'Dialogue',
          lessons: [
            {
              title: 'Said is enough',
              minutes: 12,
              document: {
                type: 'doc',
                content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Nobody asks.' }] }],
              },
            },
          ],
        },
      ],
      dry_run: false,
    },
    status: 200,
    limit: 'content_imports_per_user',
  },
};
