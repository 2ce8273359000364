export type Theme = 'light' | 'dark' | null;

/** What was chosen in this browser; null where the system decides. */
export function storedTheme(): Theme {
  const stored = localStorage.getItem('theme');
  return stored === 'light' || stored === 'dark' ? stored : null;
}

/** Shows the theme, and keeps it for the next visit. */
export function setTheme(theme: Theme): void {
  if (theme === null) {
    delete document.documentElement.dataset['theme'];
    localStorage.removeItem('theme');
  } else {
    document.documentElement.dataset['theme'] = theme;
    localStorage.setItem('theme', theme);
  }
}
