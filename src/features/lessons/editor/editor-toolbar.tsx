import { type KeyboardEvent, type Ref, useState } from 'react';
import { useInBrowser } from '#ui/use-in-browser.ts';
import type { EditorTexts } from './editor-texts.ts';
import type { TableTool, TextStyle, Tool, Tools } from './tools.ts';

const styleMenuId = 'editor-style';
const tableMenuId = 'editor-table';

type ToolName = Tool | 'link' | 'image' | 'video' | 'file';

type ToolButton = {
  name: ToolName;
  label: string;
  icon: string;
  /** As ARIA writes it; `Mod` is Ctrl, or ⌘ on computers of Apple. */
  keys?: string;
  /** Begins a group. */
  isFirst?: boolean;
};

const textStyles: TextStyle[] = ['text', 'heading', 'subheading', 'quote', 'codeBlock'];

const tableTools: TableTool[] = [
  'rowBefore',
  'rowAfter',
  'columnBefore',
  'columnAfter',
  'deleteRow',
  'deleteColumn',
  'deleteTable',
];

type EditorToolbarProps = {
  ref: Ref<HTMLDivElement>;
  /** Null until the editor has loaded: it is there, and nothing can be pressed. */
  tools: Tools | null;
  texts: EditorTexts;
  onTool: (tool: Tool) => void;
  onAsk: (what: 'link' | 'video') => void;
  /** Opens what chooses files. */
  onChoose: (what: 'image' | 'file') => void;
  onEscape: () => void;
};

/** The tools above a text, or below it on phones: one tab stop, and arrows move between them. */
export function EditorToolbar(props: EditorToolbarProps) {
  const { ref, tools, texts, onTool, onAsk, onChoose, onEscape } = props;
  const isApple = useInBrowser(() => /^(Mac|iP)/.test(navigator.platform), false);
  const [stop, setStop] = useState('style');
  const style = tools?.style ?? 'text';
  const buttons: ToolButton[] = [
    { name: 'bold', label: texts.bold, icon: 'icon-bold', keys: 'Mod+B', isFirst: true },
    { name: 'italic', label: texts.italic, icon: 'icon-italic', keys: 'Mod+I' },
    { name: 'strike', label: texts.strike, icon: 'icon-strike', keys: 'Mod+Shift+S' },
    { name: 'code', label: texts.code, icon: 'icon-code', keys: 'Mod+E' },
    { name: 'link', label: texts.link, icon: 'icon-link', keys: 'Mod+K' },
    {
      name: 'bullets',
      label: texts.bullets,
      icon: 'icon-bullets',
      keys: 'Mod+Shift+8',
      isFirst: true,
    },
    { name: 'numbers', label: texts.numbers, icon: 'icon-numbers', keys: 'Mod+Shift+7' },
    ...(tools?.isInList
      ? [
          { name: 'outdent' as const, label: texts.outdent, icon: 'icon-outdent' },
          { name: 'indent' as const, label: texts.indent, icon: 'icon-indent' },
        ]
      : []),
    { name: 'image', label: texts.image, icon: 'icon-image', isFirst: true },
    { name: 'video', label: texts.video, icon: 'icon-video' },
    { name: 'file', label: texts.file, icon: 'icon-file' },
    { name: 'table', label: texts.table, icon: 'icon-table' },
    { name: 'undo', label: texts.undo, icon: 'icon-undo', keys: 'Mod+Z', isFirst: true },
    { name: 'redo', label: texts.redo, icon: 'icon-redo', keys: 'Mod+Shift+Z' },
  ];
  const names = ['style', ...buttons.map(({ name }) => name)];

  function press(name: ToolName): void {
    if (name === 'link' || name === 'video') {
      onAsk(name);
    } else if (name === 'image' || name === 'file') {
      onChoose(name);
    } else {
      onTool(name);
    }
  }

  function choose(menuId: string, tool: Tool): void {
    document.getElementById(menuId)?.hidePopover();
    onTool(tool);
  }

  function move(event: KeyboardEvent<HTMLDivElement>): void {
    const inMenu = event.target instanceof Element && event.target.closest('[popover]') !== null;
    const at = names.indexOf(stop);
    const next = {
      ArrowRight: names[(at + 1) % names.length],
      ArrowLeft: names.at(at - 1),
      Home: names[0],
      End: names.at(-1),
    }[event.key];
    if (inMenu) {
      return;
    }
    if (next !== undefined) {
      event.preventDefault();
      setStop(next);
      event.currentTarget.querySelector<HTMLElement>(`[data-tool="${next}"]`)?.focus();
    } else if (event.key === 'Escape') {
      onEscape();
    }
  }

  return (
    <div
      ref={ref}
      className="editor-tools"
      role="toolbar"
      aria-label={texts.toolbar}
      // The text keeps the focus and, on phones, the keyboard.
      onMouseDown={(event) => event.preventDefault()}
      onKeyDown={move}
      onFocus={({ target }) => setStop((target as HTMLElement).dataset['tool'] ?? stop)}
    >
      <button
        type="button"
        className="editor-style"
        data-tool="style"
        tabIndex={isStop('style') ? 0 : -1}
        aria-disabled={tools === null}
        aria-label={`${texts.style}: ${texts.styles[style]}`}
        popoverTarget={tools === null ? undefined : styleMenuId}
      >
        {texts.styles[style]}
        <span className="icon icon-down" />
      </button>
      <div
        id={styleMenuId}
        popover="auto"
        data-menu
        className="menu"
        role="listbox"
        aria-label={texts.style}
      >
        {textStyles.map((name) => (
          <button
            key={name}
            type="button"
            role="option"
            aria-selected={name === style}
            tabIndex={name === style ? 0 : -1}
            className="menu-item"
            data-style={name}
            onClick={() => choose(styleMenuId, name)}
          >
            {texts.styles[name]}
          </button>
        ))}
        <button
          type="button"
          role="option"
          aria-selected={false}
          tabIndex={-1}
          className="menu-item"
          onClick={() => choose(styleMenuId, 'rule')}
        >
          {texts.rule}
        </button>
      </div>
      {buttons.map(({ name, label, icon, keys, isFirst }) => {
        const isMenu = name === 'table' && tools?.isInTable === true;
        const isOff = (name === 'image' || name === 'file') && texts.files.disabledReason !== null;
        const isDisabled =
          isOff || tools === null || tools.disabled.some((disabled) => disabled === name);
        return (
          <button
            // Another button inside a table, or the click that inserts one would open its menu.
            key={isMenu ? tableMenuId : name}
            type="button"
            className="icon-button"
            data-tool={name}
            data-first={isFirst}
            tabIndex={isStop(name) ? 0 : -1}
            aria-label={label}
            aria-keyshortcuts={keys?.replace('Mod', isApple ? 'Meta' : 'Control')}
            aria-disabled={isDisabled}
            aria-pressed={tools === null ? undefined : pressedOf(name)}
            data-tip={isOff ? texts.files.disabledReason : tipOf(label, keys, isApple)}
            {...(isMenu
              ? { popoverTarget: tableMenuId }
              : { onClick: () => !isDisabled && press(name) })}
          >
            <span className={`icon ${icon}`} />
          </button>
        );
      })}
      <div id={tableMenuId} popover="auto" data-menu className="menu">
        {tableTools.map((tool) => (
          <button
            key={tool}
            type="button"
            className="menu-item"
            onClick={() => choose(tableMenuId, tool)}
          >
            {texts.tableMenu[tool]}
          </button>
        ))}
      </div>
    </div>
  );

  /** The tool that Tab reaches; the first one if it is not there anymore. */
  function isStop(name: string): boolean {
    return name === (names.includes(stop) ? stop : 'style');
  }

  function pressedOf(name: ToolName): boolean | undefined {
    const toggles: ToolName[] = ['bold', 'italic', 'strike', 'code', 'link', 'bullets', 'numbers'];
    return toggles.includes(name) ? tools?.pressed.some((pressed) => pressed === name) : undefined;
  }
}

function tipOf(label: string, keys: string | undefined, isApple: boolean): string {
  return keys === undefined ? label : `${label} (${shown(keys, isApple)})`;
}

function shown(keys: string, isApple: boolean): string {
  return isApple
    ? keys.replace('Mod', '⌘').replace('Shift', '⇧').replaceAll('+', '')
    : keys.replace('Mod', 'Ctrl');
}
