import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter, RouterProvider } from 'react-router';
import { accountQuery, coursesQuery, queryClient, sessionsQuery } from './api.ts';
import { startI18n } from './i18n.ts';
import { HomePage } from './pages/home.tsx';
import { LoadFailed, Shell } from './shell.tsx';
import '../../../src/styles/index.css';
import './styles.css';
import { setTheme, storedTheme } from './theme.ts';

setTheme(storedTheme());

const router = createBrowserRouter([
  {
    path: '/',
    Component: Shell,
    ErrorBoundary: LoadFailed,
    HydrateFallback: () => null,
    loader: () =>
      Promise.all([
        queryClient.ensureQueryData(accountQuery),
        queryClient.ensureQueryData(coursesQuery),
      ]),
    // TanStack Query's caches know when to refetch.
    shouldRevalidate: () => false,
    children: [
      { index: true, Component: HomePage },
      {
        path: 'cohorts',
        lazy: async () => ({ Component: (await import('./pages/cohorts.tsx')).CohortsPage }),
      },
      {
        path: 'payments',
        lazy: async () => ({ Component: (await import('./pages/payments.tsx')).PaymentsPage }),
      },
      {
        path: 'settings',
        loader: () => queryClient.ensureQueryData(sessionsQuery),
        lazy: async () => ({ Component: (await import('./pages/settings.tsx')).SettingsPage }),
      },
      {
        path: 'settings/billing',
        lazy: async () => ({ Component: (await import('./pages/billing.tsx')).BillingPage }),
      },
    ],
  },
]);

// The router has already started to load the data.
await startI18n();
const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
