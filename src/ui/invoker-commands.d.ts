import 'react';

// React passes these on to the browser; its types do not have them yet.
declare module 'react' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface adds to the one that is there -- drop it with @types/react that know them.
  interface ButtonHTMLAttributes<T> {
    command?: 'show-modal' | 'close';
    commandfor?: string;
  }
}
