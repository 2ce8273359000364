'use client';

import { type ReactNode, useEffect, useRef } from 'react';
import { useInBrowser } from '#ui/use-in-browser.ts';

type EmailFrameProps = {
  /** The document that mail programs get. */
  html: string;
  /** What the frame is called. */
  title: string;
  /** In its place until scripts have loaded: the email as text. */
  children: ReactNode;
};

/**
 * An email as mail programs show it, in a frame without scripts or forms. Another email takes its
 * place without a flicker, and without a step in the history.
 */
export function EmailFrame({ html, title, children }: EmailFrameProps) {
  const isInBrowser = useInBrowser(() => true, false);
  const ref = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    const frame = ref.current;
    if (!isInBrowser || frame === null) {
      return;
    }
    const show = () => showEmail(frame, html);
    show();
    // Its first document may still be loading.
    frame.addEventListener('load', show);
    const observer = new ResizeObserver(() => fitHeight(frame));
    observer.observe(frame);
    return () => {
      frame.removeEventListener('load', show);
      observer.disconnect();
    };
  }, [isInBrowser, html]);
  return isInBrowser ? (
    <iframe
      ref={ref}
      className="block min-h-80 w-full border-0"
      title={title}
      // No `allow-scripts`. Links open in new tabs, which are pages like any other.
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      srcDoc="<!doctype html>"
      data-sentry-block
    />
  ) : (
    <div className="whitespace-pre-wrap p-5">{children}</div>
  );
}

/**
 * The frame has the policy of our pages, which allows no style in HTML: neither an element nor an
 * attribute. What scripts set is allowed.
 */
function showEmail(frame: HTMLIFrameElement, html: string): void {
  const shown = frame.contentDocument;
  const view = shown?.defaultView;
  // Until then the document is empty or about to be replaced.
  if (!view || shown?.readyState !== 'complete') {
    return;
  }
  // Typed text is escaped, so a quotation mark in HTML is always ours.
  const inert = html.replaceAll(' style="', ' data-style="');
  const [, css = ''] = /<style>([^<]*)<\/style>/.exec(inert) ?? [];
  const parsed = new DOMParser().parseFromString(inert.slice(inert.indexOf('<body')), 'text/html');
  const body = shown.importNode(parsed.body, true);
  for (const element of [body, ...body.querySelectorAll<HTMLElement>('[data-style]')]) {
    element.style.cssText = element.dataset.style ?? '';
  }
  for (const link of body.querySelectorAll('a')) {
    link.target = '_blank';
    link.rel = 'noopener noreferrer';
  }
  const sheet = new view.CSSStyleSheet();
  sheet.replaceSync(css);
  shown.adoptedStyleSheets = [sheet];
  shown.documentElement.lang = /<html lang="([^"]*)"/.exec(html)?.[1] ?? '';
  shown.body.replaceWith(body);
  fitHeight(frame);
}

/** All of an email is seen, so that only the page scrolls. */
function fitHeight(frame: HTMLIFrameElement): void {
  const content = frame.contentDocument?.querySelector('body > *');
  if (content) {
    frame.style.height = `${content.scrollHeight}px`;
  }
}
