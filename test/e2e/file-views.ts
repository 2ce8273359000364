import type { Page } from '@playwright/test';
import type { Upload } from '#features/files/schema.ts';
import type { Lesson } from '#features/lessons/schema.ts';
import { selectedCourse } from './cohorts.ts';
import { publishLesson } from './lessons.ts';
import { courseNames, makeCourse } from './people.ts';
import { drawPng } from './pictures.ts';
import { askApi } from './support.ts';
import { type View, viewsOf } from './view.ts';

const ownerOfFiles = viewsOf('the owner of a lesson with files', async (page) => {
  await makeCourse(page);
  const [name = ''] = courseNames;
  const { buffer } = await drawPng(page, 900, 500);
  const image = await upload(page, `${name}.png`, 'image/png', buffer);
  const others = [
    await upload(page, `${name}.pdf`, 'application/pdf', Buffer.from('%PDF-1.7')),
    await upload(page, `${name}.mp3`, 'audio/mpeg', Buffer.from('ID3')),
    await upload(page, `${name}.mp4`, 'video/mp4', Buffer.from('\0\0\0\x18ftypisom')),
  ];
  await upload(page, `${name}.vtt`, 'text/vtt', Buffer.from('WEBVTT'));
  const course = await selectedCourse(page);
  const lesson = (await askApi(page, 'POST', `/api/courses/${course.id}/lessons/`, {
    title: name,
    document: {
      type: 'doc',
      content: [
        { type: 'paragraph', content: [{ type: 'text', text: name }] },
        { type: 'image', attrs: { file: image.key, alt: name } },
        { type: 'image', attrs: { file: '0000000000', alt: '' } },
        ...others.map(({ key }) => ({ type: 'file', attrs: { file: key, name } })),
        { type: 'paragraph' },
      ],
    },
  })) as Lesson;
  await publishLesson(page, lesson);
  return { id: lesson.id };
});

const editor = '.lesson-editor [contenteditable="true"]';

/** Files in lessons, where they are written, read, listed and imported. */
export const fileViews: View[] = [
  ownerOfFiles('lesson-files-written', '/lessons/[id]', { until: `${editor} img[src]` }),
  ownerOfFiles('lesson-files-read', '/lessons/preview/[id]'),
  ownerOfFiles('lesson-files-uploading', '/lessons/[id]', {
    isOverlay: true,
    act: async (page) => {
      await page.locator(editor).waitFor();
      await page.route('**/parts/**', () => undefined);
      const mimeType = 'application/pdf';
      const files = courseNames.map((name) => ({ name: `${name}.pdf`, mimeType, buffer: pdf }));
      await page.locator('.lesson-editor input[type="file"]').setInputFiles(files);
    },
    until: '.uploads progress',
  }),
  ownerOfFiles('files', '/lessons/files', { isExample: true }),
  ownerOfFiles('lessons-import-preview', '/lessons/import', {
    isExample: true,
    act: async (page) => {
      const [one = '', other = ''] = courseNames;
      const text = Buffer.from(`![${one}](${one}.png)\n\n![](${other}.png)`);
      await page.locator('#import-files').setInputFiles([
        { name: `${one}.md`, mimeType: 'text/markdown', buffer: text },
        { name: `${one}.png`, mimeType: 'image/png', buffer: (await drawPng(page, 2, 2)).buffer },
      ]);
    },
    until: '.import-files',
  }),
];

const pdf = Buffer.from('%PDF-1.7');

/** A file of the selected course that has arrived, by the API. */
async function upload(page: Page, name: string, type: string, bytes: Buffer): Promise<Upload> {
  const { id } = await selectedCourse(page);
  const path = `/api/courses/${id}/files/`;
  const input = { name: name.slice(-120), content_type: type, size: bytes.length };
  const file = (await askApi(page, 'POST', path, input)) as Upload;
  await askApi(page, 'PUT', `${path}${file.id}/parts/1/`, bytes);
  await askApi(page, 'POST', `${path}${file.id}/complete/`);
  return file;
}
