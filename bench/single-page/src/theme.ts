export type Theme = 'light' | 'dark' | null;

/** The theme stored in this browser; null to follow the system. */
export function storedTheme(): Theme {
  const stored = localStorage.getItem('theme');
  return stored === 'light' || stored === 'dark' ? stored : null;
}

/** Applies the theme and stores it. */
export function setTheme(theme: Theme): void {
  if (theme === null) {
    delete document.documentElement.dataset['theme'];
    localStorage.removeItem('theme');
  } else {
    document.documentElement.dataset['theme'] = theme;
    localStorage.setItem('theme', theme);
  }
}
