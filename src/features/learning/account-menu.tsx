import { Trans, useLingui } from '@lingui/react/macro';
import { LanguageChoice } from '#features/preferences/language-choice.tsx';
import { ForgetButton } from './forget-button.tsx';
import { learningPaths } from './learning-paths.ts';

const menuId = 'account';

/** The name of the person that this device remembers, which opens their menu. */
export function AccountButton({ name, className }: { name: string; className: string }) {
  return (
    <button type="button" className={`learner ${className}`} data-tip={name} popoverTarget={menuId}>
      <PersonInitials name={name} />
      <span dir="auto">{name}</span>
      <span className="icon icon-updown" />
    </button>
  );
}

/** The language of these pages, other courses, and the way to be forgotten. Once per page. */
export function AccountMenu({ name }: { name: string }) {
  const { t } = useLingui();
  return (
    <aside id={menuId} popover="auto" className="menu" aria-label={name}>
      <p className="mx-3 mt-1.5 mb-3 font-semibold" dir="auto">
        {name}
      </p>
      <LanguageChoice className="segments mx-3 mt-1.5 mb-3" />
      <a href={learningPaths.courses} className="menu-item">
        <span className="icon icon-home" />
        <Trans>Your courses</Trans>
      </a>
      <ForgetButton pendingLabel={t`One moment…`} className="menu-item">
        <span className="icon icon-leave" />
        <Trans>Not your device? Forget me</Trans>
      </ForgetButton>
    </aside>
  );
}

function PersonInitials({ name }: { name: string }) {
  const words = name.split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : ''].map((word = '') => [...word][0]);
  return (
    <span className="avatar avatar-small" data-hue="plum" aria-hidden="true">
      {letters.join('').toLocaleUpperCase()}
    </span>
  );
}
