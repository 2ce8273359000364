import type { JSHandle, Page } from '@playwright/test';

export type Inspector = ReturnType<typeof createInspector>;

/** Inspects a page from the inside. */
export function inspect(page: Page): Promise<JSHandle<Inspector>> {
  return page.evaluateHandle(createInspector);
}

/** Runs in the browser: it uses nothing from outside. */
function createInspector() {
  const controlSelector =
    'a[href], button, input:not([type="hidden"]), select, textarea, summary, [role="button"], [tabindex="0"]';

  /** The visible part of the page: the topmost open layer, or all of it. */
  function scope(): Element {
    const overlays = document.querySelectorAll('dialog:modal, [popover="auto"]:popover-open');
    return [...overlays].at(-1) ?? document.body;
  }

  function isShown(element: Element): boolean {
    const { width, height } = element.getBoundingClientRect();
    return element.checkVisibility({ visibilityProperty: true }) && width > 0 && height > 0;
  }

  /**
   * Only for screen readers: in a box without size, or clipped completely, unless it has the focus.
   */
  function isForListeners(element: Element): boolean {
    for (let at: Element | null = element; at !== null; at = at.parentElement) {
      const { width, height } = at.getBoundingClientRect();
      const style = getComputedStyle(at);
      if (style.clipPath === 'inset(50%)') {
        return true;
      }
      if (style.display !== 'inline' && style.overflow !== 'visible' && width <= 1 && height <= 1) {
        return true;
      }
    }
    return false;
  }

  const plain = (text: string | null) => (text ?? '').replace(/\s+/g, ' ').trim();

  type Text = { text: string; element: Element; rects: DOMRect[] };

  /** Every visible text, with the box of each of its lines. */
  function shownTexts(root: Element): Text[] {
    const texts: Text[] = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement;
      const text = plain(walker.currentNode.nodeValue);
      if (element !== null && text !== '' && isShown(element) && !isForListeners(element)) {
        const range = document.createRange();
        range.selectNodeContents(walker.currentNode);
        const rects = [...range.getClientRects()].filter(({ width }) => width > 0);
        if (rects.length > 0) {
          texts.push({ text, element, rects });
        }
      }
    }
    return texts;
  }

  /**
   * The boxes that clip an element's content, innermost first, up to where the rest can be scrolled
   * to.
   */
  function cuttingBoxes(element: Element): { box: Element; x: boolean; y: boolean }[] {
    const boxes: { box: Element; x: boolean; y: boolean }[] = [];
    let isFree = { x: false, y: false };
    let isAbsolute = false;
    for (let at: Element | null = element; at !== null; at = at.parentElement) {
      const { position, overflowX, overflowY } = getComputedStyle(at);
      if (isAbsolute && position === 'static') {
        continue;
      }
      const cuts = (overflow: string) => overflow === 'hidden' || overflow === 'clip';
      const scrolls = (overflow: string) => overflow === 'auto' || overflow === 'scroll';
      isFree = { x: isFree.x || scrolls(overflowX), y: isFree.y || scrolls(overflowY) };
      if (at !== document.body && at !== document.documentElement) {
        boxes.push({
          box: at,
          x: cuts(overflowX) && !isFree.x,
          y: cuts(overflowY) && !isFree.y,
        });
      }
      if (position === 'fixed' || at.matches('dialog:modal, :popover-open')) {
        break;
      }
      isAbsolute = position === 'absolute';
    }
    return boxes.filter(({ x, y }) => x || y);
  }

  /** Tolerances: a pixel for rounding, and half the line height, which letters leave free. */
  function isCut({ element, rects }: Text): boolean {
    return cuttingBoxes(element).some(({ box, x, y }) => {
      const { left, right, top, bottom } = box.getBoundingClientRect();
      const hasEllipsis = getComputedStyle(box).textOverflow !== 'clip' || box === element;
      return (
        (x && hasEllipsis && box.scrollWidth > box.clientWidth + 1) ||
        rects.some((rect) => {
          const middle = (rect.top + rect.bottom) / 2;
          return (
            (x && (rect.left < left - 1 || rect.right > right + 1)) ||
            (y && (middle < top || middle > bottom))
          );
        })
      );
    });
  }

  function isToldElsewhere({ text, element }: Text): boolean {
    for (const attribute of ['title', 'data-tip']) {
      const told = element.closest(`[${attribute}]`)?.getAttribute(attribute);
      if (told !== undefined && plain(told).includes(text)) {
        return true;
      }
    }
    return false;
  }

  function widthOf(text: string, element: Element): number {
    const context = document.createElement('canvas').getContext('2d');
    if (context === null) {
      return 0;
    }
    context.font = getComputedStyle(element).font;
    return context.measureText(text).width;
  }

  function roomIn(element: Element): number {
    const { paddingLeft, paddingRight } = getComputedStyle(element);
    return element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
  }

  /** Partly visible texts that are available in full nowhere else. */
  function cutTexts(): string[] {
    const cut = shownTexts(scope()).filter((text) => isCut(text) && !isToldElsewhere(text));
    const hints = [...scope().querySelectorAll('input')]
      .filter((input) => isShown(input) && widthOf(input.placeholder, input) > roomIn(input) + 1)
      .map(({ placeholder }) => placeholder);
    return [...cut.map(({ text }) => text), ...hints];
  }

  function canScrollSideways(element: Element): boolean {
    for (let at = element.parentElement; at !== null; at = at.parentElement) {
      if (at !== document.documentElement && at !== document.body) {
        if (/auto|scroll/.test(getComputedStyle(at).overflowX) && at.scrollWidth > at.clientWidth) {
          return true;
        }
      }
    }
    return false;
  }

  /** Content outside the window to the left or right, and boxes that scroll sideways. */
  function tooWide(): string[] {
    const root = scope();
    const { clientWidth } = document.documentElement;
    const isOut = ({ left, right }: DOMRect) => left < -1 || right > clientWidth + 1;
    const out = [
      ...shownTexts(root)
        // What is cut off before it gets there is among the cut texts.
        .filter((text) => text.rects.some(isOut) && !isCut(text))
        .filter(({ element }) => !canScrollSideways(element))
        .map(({ text }) => `leaves the window: ${text}`),
      ...shownControls(root)
        .filter((control) => isOut(control.getBoundingClientRect()) && !canScrollSideways(control))
        .map((control) => `leaves the window: ${nameOf(control)}`),
    ];
    const whole = root === document.body ? document.documentElement : root;
    const scrolled = [whole, ...whole.querySelectorAll('*')]
      .filter(
        (element) =>
          (element === document.documentElement ||
            /auto|scroll/.test(getComputedStyle(element).overflowX)) &&
          // These may: the sections of a cohort, its sheets, and the tools for a text.
          !element.matches(
            'input, textarea, select, .sub-nav, .sheet, .attendance-table, .editor-tools',
          ) &&
          isShown(element) &&
          element.scrollWidth > element.clientWidth,
      )
      .map((element) => `scrolls sideways: ${shortly(element)}`);
    return [...out, ...scrolled];
  }

  const shortly = (element: Element) => element.outerHTML.slice(0, 120);

  function shownControls(root: Element): HTMLElement[] {
    return [...root.querySelectorAll<HTMLElement>(controlSelector)].filter(
      (control) => isShown(control) && !isForListeners(control),
    );
  }

  /** What differs between visits is left out. */
  const lasting = (text: string) => text.replace(/\S*@\S*|\S*\d{9}\S*/g, '@');

  function nameOf(control: Element): string {
    // One collapses the sidebar on a desktop, the other opens it on a phone.
    if (control.matches('[aria-controls="sidebar"], [popovertarget="sidebar"]')) {
      return 'the button of the sidebar';
    }
    const labels = control instanceof HTMLInputElement ? [...(control.labels ?? [])] : [];
    const name =
      control.getAttribute('aria-label') ||
      labels.map(({ textContent }) => textContent).join(' ') ||
      control.textContent ||
      control.getAttribute('name');
    return `${control.localName} “${lasting(plain(name))}”`;
  }

  /** What narrow windows do without. */
  const onlyWithRoom = [
    // Decoration, and words beside a sign that says the same.
    '.cover, .course-state, .wordmark-name, .learner > [dir], .presence [aria-hidden]',
    // The names of the pages above this one; a way to each has to be there.
    '.trail',
    // Lists of links to parts of the page.
    'nav:not(:has(a:not([href^="#"])))',
    // Headings of columns, and what is short because of them.
    '.people-heads, .session-sheet thead, .row-short',
    // Other sessions than that of today, and the heading of an email beside its form.
    '.attendance-wide, .attendance-legend, #they-see',
    // That a lesson in a list is published, as most are.
    '.outline-state [data-state="published"]',
    // Around a lesson that is being written, the shell, and what its menu has instead.
    '.shell:has(.writing-bar) :is(.topbar, .sidebar), .lesson-preview, .lesson-facts',
  ].join(', ');

  /** The visible texts and controls, in words that are the same in every window. */
  function items(): string[] {
    const root = scope();
    const isLasting = (element: Element) => element.closest(onlyWithRoom) === null;
    const texts = shownTexts(root)
      .filter(({ element }) => isLasting(element) && element.closest('time, code') === null)
      .map(({ text }) => lasting(text));
    const controls = shownControls(root);
    const above = controls.filter((control) => control.closest('.trail') !== null);
    const shown = controls.filter(isLasting);
    const ways = [...above, ...shown].filter((control) => control instanceof HTMLAnchorElement);
    return [
      ...new Set([
        ...texts,
        ...shown.map(nameOf),
        ...ways.map(({ pathname }) => `a way to ${pathname}`),
      ]),
    ];
  }

  /** Controls and texts that cannot be scrolled to, or that are covered. */
  function unreachable(): string[] {
    const root = scope();
    const texts = shownTexts(root);
    const cut = texts.filter((text) => isCut(text) && !isToldElsewhere(text));
    const controls = shownControls(root).filter((control) => {
      control.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
      // For a link in two lines, the first one.
      const [rect] = control.getClientRects();
      const hit =
        rect && document.elementFromPoint(rect.left + rect.width / 2, rect.top + rect.height / 2);
      return !(
        hit &&
        (control.contains(hit) ||
          (hit.closest('label') as HTMLLabelElement)?.control === control ||
          // A toast may cover it, and can be closed.
          hit.closest('.toasts:has(button)'))
      );
    });
    const outOfSight = texts.filter(({ element }) => {
      element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
      const { top, bottom } = element.getBoundingClientRect();
      const middle = (top + bottom) / 2;
      return bottom - top <= window.innerHeight && (middle < 0 || middle > window.innerHeight);
    });
    window.scrollTo(0, 0);
    return [...controls.map(nameOf), ...[...cut, ...outOfSight].map(({ text }) => text)].map(
      (name) => `out of reach: ${name}`,
    );
  }

  /** Whether it stays in place while the rest of the page or overlay scrolls. */
  function isPinned(element: Element, root: Element): boolean {
    for (let at: Element | null = element; at !== null && at !== root; at = at.parentElement) {
      if (/fixed|sticky/.test(getComputedStyle(at).position)) {
        return true;
      }
    }
    return false;
  }

  /** The part of a box inside its element and the boxes around it. */
  function seenOf(element: Element, rect: DOMRect): DOMRect {
    let { left, right, top, bottom } = rect;
    for (
      let at: Element | null = element;
      at !== null && at !== document.body;
      at = at.parentElement
    ) {
      if (getComputedStyle(at).overflow !== 'visible') {
        const box = at.getBoundingClientRect();
        left = Math.max(left, box.left);
        right = Math.min(right, box.right);
        top = Math.max(top, box.top);
        bottom = Math.min(bottom, box.bottom);
      }
    }
    return new DOMRect(left, top, Math.max(0, right - left), Math.max(0, bottom - top));
  }

  /** Controls that overlap another, or a text that is not theirs. */
  function overlaps(): string[] {
    const root = scope();
    const controls = shownControls(root);
    const boxes = [
      ...controls.map((element) => ({
        element,
        control: element as Element,
        name: nameOf(element),
        rects: [...element.getClientRects()].map((rect) => seenOf(element, rect)),
      })),
      ...shownTexts(root).map(({ text, element, rects }) => ({
        element,
        control: element.closest(controlSelector) ?? element.closest('label')?.control ?? null,
        name: text,
        rects: rects.map((rect) => seenOf(element, rect)),
      })),
    ];
    const found: string[] = [];
    boxes.forEach((one, index) => {
      for (const other of index < controls.length ? boxes.slice(index + 1) : []) {
        const isOne =
          one.control === other.control ||
          one.element.contains(other.element) ||
          other.element.contains(one.element);
        const share = (a: DOMRect, b: DOMRect) =>
          Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
          Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
        // Fixed elements always cover something.
        if (
          !isOne &&
          one.rects.some((rect) => other.rects.some((another) => share(rect, another))) &&
          isPinned(one.element, root) === isPinned(other.element, root)
        ) {
          found.push(`one lies on the other: ${one.name}, ${other.name}`);
        }
      }
    });
    return found;
  }

  /**
   * All words of the document, also hidden and spoken ones, without times and codes, which are
   * generated, and what people typed.
   */
  function words(): string[] {
    const texts: string[] = [document.title];
    const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { parentElement, nodeValue } = walker.currentNode;
      if (!parentElement?.closest('script, style, noscript, time, code, textarea, p[dir="auto"]')) {
        texts.push(nodeValue ?? '');
      }
    }
    for (const attribute of ['alt', 'aria-label', 'data-tip', 'placeholder', 'title']) {
      for (const element of document.querySelectorAll(`[${attribute}]`)) {
        texts.push(element.getAttribute(attribute) ?? '');
      }
    }
    for (const meta of document.querySelectorAll('meta[name="description"]')) {
      texts.push(meta.getAttribute('content') ?? '');
    }
    return [...new Set(texts.map(plain))].filter((text) => text !== '');
  }

  const faults = () => [...tooWide(), ...overlaps(), ...unreachable()];

  return { cutTexts, tooWide, faults, items, words };
}
