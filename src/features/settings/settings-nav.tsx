import { useLingui } from '@lingui/react/macro';
import { sectionIds } from './section-ids.ts';
import { SectionLinks } from './section-links.tsx';

/** The links to the sections of the page. `takesPayments`: whether people can pay online here. */
export function SettingsNav({ takesPayments }: { takesPayments: boolean }) {
  const { t } = useLingui();
  const groups = [
    {
      id: 'nav-course',
      title: t`This course`,
      links: [
        [sectionIds.course, t`Name and type`],
        [sectionIds.picture, t`Picture`],
        [sectionIds.duplicateCourse, t`Duplicate`],
      ],
    },
    {
      id: 'nav-account',
      title: t`Your account`,
      links: [
        [sectionIds.profile, t`Profile`],
        [sectionIds.email, t`Email address`],
        ...(takesPayments ? [[sectionIds.gettingPaid, t`Getting paid`] as const] : []),
        [sectionIds.news, t`Daily news`],
        [sectionIds.language, t`Language`],
        [sectionIds.appearance, t`Appearance`],
        [sectionIds.sessions, t`Active sessions`],
        [sectionIds.data, t`Your data`],
      ],
    },
    {
      id: 'nav-delete',
      title: t`Delete`,
      links: [
        [sectionIds.deleteCourse, t`This course`],
        [sectionIds.deleteAccount, t`Your account`],
      ],
    },
  ];
  return (
    <SectionLinks label={t`On this page`}>
      {groups.map(({ id, title, links }) => (
        <div key={id}>
          <p id={id}>{title}</p>
          <ul aria-labelledby={id}>
            {links.map(([target, label]) => (
              <li key={target}>
                <a href={`#${target}`}>{label}</a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </SectionLinks>
  );
}
