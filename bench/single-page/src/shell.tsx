import * as Dialog from '@radix-ui/react-dialog';
import * as DropdownMenu from '@radix-ui/react-dropdown-menu';
import * as Tooltip from '@radix-ui/react-tooltip';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, NavLink, Outlet, ScrollRestoration, useLocation, useRouteError } from 'react-router';
import { Toaster } from 'sonner';
import { ApiError } from './api.ts';
import { Avatar } from './avatar.tsx';
import { CourseSelector } from './course-selector.tsx';
import { FailureDialog } from './failure-dialog.tsx';
import { useAccount, useLogOut } from './hooks.ts';
import { NewCourseDialog } from './new-course-dialog.tsx';
import { Tip } from './tip.tsx';

const places = [
  { to: '/', name: 'home' },
  { to: '/cohorts', name: 'cohorts' },
  { to: '/payments', name: 'payments' },
  { to: '/settings', name: 'settings' },
];

/** The layout of every page: the sidebar and the dialogs. */
export function Shell() {
  const { t } = useTranslation();
  const [isSidebarOpen, setIsSidebarOpen] = useState(
    () => localStorage.getItem('sidebar') !== 'icons',
  );
  const [isSheetOpen, setIsSheetOpen] = useState(false);
  const [isNewCourseOpen, setIsNewCourseOpen] = useState(false);
  const { pathname } = useLocation();
  // A new page closes the sheet.
  useEffect(() => setIsSheetOpen(false), [pathname]);

  function toggleSidebar(): void {
    setIsSidebarOpen(!isSidebarOpen);
    localStorage.setItem('sidebar', isSidebarOpen ? 'icons' : 'open');
  }

  const sidebar = <Sidebar onNewCourse={() => setIsNewCourseOpen(true)} />;
  return (
    <Tooltip.Provider>
      <div className="shell" data-sidebar={isSidebarOpen ? 'open' : 'icons'}>
        <a
          className="fixed top-2 left-2 z-1 rounded-control bg-accent px-4 py-2 text-on-accent not-focus:pointer-events-none not-focus:[clip-path:inset(50%)]"
          href="#main"
        >
          {t('skip')}
        </a>
        <aside className="sidebar">{sidebar}</aside>
        <div className="page">
          <header className="topbar">
            <Tip text={t('sidebarTip')}>
              <button
                type="button"
                className="icon-button noscript:hidden max-md:hidden"
                aria-label={t('sidebar')}
                aria-expanded={isSidebarOpen}
                onClick={toggleSidebar}
              >
                <span className="icon icon-sidebar" />
              </button>
            </Tip>
            <Dialog.Root open={isSheetOpen} onOpenChange={setIsSheetOpen}>
              <Dialog.Trigger className="icon-button md:hidden" aria-label={t('menu')}>
                <span className="icon icon-menu" />
              </Dialog.Trigger>
              <Dialog.Portal>
                <Dialog.Overlay className="overlay" />
                <Dialog.Content className="sidebar sheet" aria-describedby={undefined}>
                  <Dialog.Title className="sr-only">{t('menu')}</Dialog.Title>
                  {sidebar}
                </Dialog.Content>
              </Dialog.Portal>
            </Dialog.Root>
            <Link to="/" className="md:hidden">
              <Wordmark />
            </Link>
          </header>
          <main id="main" tabIndex={-1} className="content">
            <Outlet />
          </main>
        </div>
        <NewCourseDialog isOpen={isNewCourseOpen} onOpenChange={setIsNewCourseOpen} />
        <FailureDialog />
        <Toaster position="bottom-right" closeButton />
        <ScrollRestoration />
      </div>
    </Tooltip.Provider>
  );
}

function Sidebar({ onNewCourse }: { onNewCourse: () => void }) {
  const { t } = useTranslation();
  return (
    <>
      <Link to="/" className="sidebar-brand">
        <Wordmark />
      </Link>
      <CourseSelector onNewCourse={onNewCourse} />
      <nav aria-label={t('main')} className="sidebar-nav">
        {places.map(({ to, name }) => (
          <Tip key={to} text={t(name)}>
            <NavLink to={to} end className="sidebar-item">
              <span className={`icon icon-${name}`} />
              <span className="sidebar-label">{t(name)}</span>
            </NavLink>
          </Tip>
        ))}
      </nav>
      <UserMenu />
    </>
  );
}

function UserMenu() {
  const { t } = useTranslation();
  const account = useAccount();
  const logOut = useLogOut();
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger className="sidebar-item sidebar-user">
        <Avatar account={account} className="avatar avatar-small" />
        <span className="sidebar-label min-w-0 flex-1">
          <span className="sr-only">{t('account')} </span>
          <span className="block truncate font-semibold">
            {account.first_name} {account.last_name}
          </span>
        </span>
        <span className="icon icon-updown sidebar-label" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content align="start" className="menu">
          <DropdownMenu.Label className="px-3 py-2 text-[0.875rem] text-muted">
            {account.email}
          </DropdownMenu.Label>
          <DropdownMenu.Item asChild className="menu-item">
            <Link to="/settings">
              <span className="icon icon-user" />
              {t('accountMenu')}
            </Link>
          </DropdownMenu.Item>
          <DropdownMenu.Item asChild className="menu-item">
            <Link to="/settings/billing">
              <span className="icon icon-payments" />
              {t('billing')}
            </Link>
          </DropdownMenu.Item>
          <DropdownMenu.Item className="menu-item menu-last" onSelect={() => logOut.mutate()}>
            <span className="icon icon-leave" />
            {t('logOut')}
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** Shown when a page cannot be loaded. The redirect to the login page happens elsewhere. */
export function LoadFailed() {
  const { t } = useTranslation();
  const error = useRouteError();
  const isSignedOut = error instanceof ApiError && error.status === 401;
  useEffect(() => {
    if (isSignedOut) {
      window.location.assign('/login');
    }
  }, [isSignedOut]);
  return isSignedOut ? null : (
    <main className="content">
      <h1>{t('failure.other')}</h1>
      <p>{t('failure.otherAbout')}</p>
    </main>
  );
}

function Wordmark() {
  return (
    <span className="inline-flex items-center gap-2 font-serif text-xl font-semibold">
      <svg viewBox="0 0 32 32" className="size-7 text-accent" aria-hidden="true">
        <path
          fill="none"
          stroke="currentColor"
          strokeWidth="2.25"
          strokeLinecap="round"
          strokeLinejoin="round"
          d="M16 9C13 6.5 9 5.500 4 6v12c5-.5 9 .5 12 3 3-2.500 7-3.500 12-3V6c-5-.5-9 .5-12 3Zm0 0v19m-5 0h10"
        />
      </svg>
      <span className="wordmark-name">Lectern</span>
    </span>
  );
}
