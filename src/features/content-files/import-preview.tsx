import type { Room } from '#features/files/find-room.ts';
import { sizeWords } from '#features/files/shown-file.ts';
import type { ImportTexts } from './import-texts.ts';
import type { ImportPlan, PlannedFile } from './plan-import.ts';

type PreviewProps = {
  plan: ImportPlan;
  without: ReadonlySet<PlannedFile>;
  hasFiles: boolean;
  room: Room;
  locale: string;
  texts: ImportTexts;
};

/** What becomes of files that were chosen. */
export function ImportPreview({ plan, without, hasFiles, room, locale, texts }: PreviewProps) {
  const { sections, guessed, leftOut } = plan;
  const files = plan.files.filter((file) => !without.has(file));
  const size = files.reduce((sum, file) => sum + file.size, 0);
  const left = Math.max(0, room.limit - room.used);
  return (
    <>
      <div className="grid gap-2">
        <h2 id="import-preview">{texts.preview}</h2>
        <p className="hint">{texts.drafts}</p>
      </div>
      {guessed.length > 0 && (
        <p className="notice">{texts.guessed.replace('{name}', () => guessed.join(', '))}</p>
      )}
      <ol className="import-sections">
        {sections.map(({ title, lessons }) => (
          <li key={`${title} ${lessons[0]?.path}`}>
            <h3 dir="auto">{title ?? texts.untitled}</h3>
            <ol>
              {lessons.map((lesson) => (
                <li key={lesson.path} dir="auto">
                  {lesson.title}
                </li>
              ))}
            </ol>
          </li>
        ))}
      </ol>
      {files.length > 0 && (
        <div>
          <h3>{texts.files}</h3>
          {size > left && (
            <p className="notice">
              {texts.tooLittleRoom
                .replace('{all}', sizeWords(size, locale))
                .replace('{done}', sizeWords(left, locale))}
            </p>
          )}
          <ul className="import-files">
            {files.map(({ key, name, size }) => (
              <li key={key} dir="auto">
                {texts.file.replace('{all}', sizeWords(size, locale)).replace('{name}', () => name)}
              </li>
            ))}
          </ul>
        </div>
      )}
      {leftOut.length + without.size > 0 && (
        <div>
          <h3>{texts.leftOut}</h3>
          <ul className="import-files">
            {[...without].map(({ path }) => (
              <li key={path} dir="auto">
                <span>{path}</span>: {hasFiles ? texts.yourChoice : texts.filesOff}
              </li>
            ))}
            {leftOut.map(({ path, reason }) => (
              <li key={path} dir="auto">
                <span>{path}</span>: {texts.reasons[reason]}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
