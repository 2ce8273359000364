import 'react';

// React hands these on to the browser; its types do not know them yet.
declare module 'react' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface adds to the one that is there -- drop it with @types/react that know them.
  interface ButtonHTMLAttributes<T> {
    command?: 'show-modal' | 'close';
    commandfor?: string;
  }
}
