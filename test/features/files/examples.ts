import type { Examples } from '#support/examples.ts';

const upload = { name: 'notes.txt', content_type: 'text/plain', size: 14 };

/** As a browser would draw it, but for most of its bytes. */
const picture = `data:image/webp;base64,${btoa('RIFF\x04\0\0\0WEBP')}`;

export const examples: Examples = {
  'POST /api/courses/{course}/files/': { input: upload, makes: 'file', limit: 'files_per_user' },
  'PUT /api/courses/{course}/files/{file}/parts/1/': {
    // As JSON, it has 14 bytes.
    input: 'Nobody asks.',
    makes: 'sentFile',
    limit: 'file_parts_per_user',
  },
  'POST /api/courses/{course}/files/{sentFile}/complete/': { status: 200 },
  'GET /api/courses/{course}/files/': {},
  'DELETE /api/courses/{course}/files/{sentFile}/': {},
  'PUT /api/courses/{course}/picture/': { input: picture, limit: 'pictures_per_user' },
  'DELETE /api/courses/{course}/picture/': {},
  'PUT /api/accounts/photo/': { input: picture },
  'DELETE /api/accounts/photo/': {},
};
