'use client';

import { useCurrent } from '#router/use-visits.ts';

type SectionTabsProps = {
  label: string;
  tabs: { to: string; label: string; count?: number }[];
  /** The path of the section that is shown. */
  current: string | undefined;
};

/** The sections of a cohort. The one that was clicked is current at once. */
export function SectionTabs({ label, tabs, current }: SectionTabsProps) {
  const currentTab = useCurrent(tabs, current);
  return (
    <nav
      aria-label={label}
      className="sub-nav -mt-3 flex gap-7 overflow-x-auto border-line border-b [scrollbar-width:none]"
    >
      {tabs.map(({ to, label, count }) => (
        <a
          key={to}
          href={to}
          className="flex-none border-transparent border-b-2 py-3 font-medium text-[0.9375rem]/5 text-muted hover:text-ink aria-[current]:border-accent aria-[current]:font-semibold aria-[current]:text-ink aria-[current]:[scroll-initial-target:nearest]"
          aria-current={to === currentTab ? 'page' : undefined}
        >
          {/* One text: a space of its own would be laid out only when the number comes. */}
          {`${label} `}
          {count ? <small>{count}</small> : null}
        </a>
      ))}
    </nav>
  );
}
