/** What a button of the toolbar, or an item of its menus, does with the text. */
export type Tool =
  | 'text'
  | 'heading'
  | 'subheading'
  | 'codeBlock'
  | 'bold'
  | 'italic'
  | 'code'
  | 'strike'
  | 'bullets'
  | 'numbers'
  | 'quote'
  | 'rule'
  | 'outdent'
  | 'indent'
  | 'table'
  | 'undo'
  | 'redo'
  | TableTool;

export type TableTool =
  | 'rowBefore'
  | 'rowAfter'
  | 'columnBefore'
  | 'columnAfter'
  | 'deleteRow'
  | 'deleteColumn'
  | 'deleteTable';

export type TextStyle = 'text' | 'heading' | 'subheading' | 'quote' | 'codeBlock';

/** What the toolbar shows of the text around the cursor. */
export type Tools = {
  style: TextStyle;
  pressed: (Tool | 'link')[];
  disabled: (Tool | 'link')[];
  isInList: boolean;
  isInTable: boolean;
};
