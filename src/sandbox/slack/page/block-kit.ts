/** Block Kit as the page reads it. Types only: browsers never load this file. */

export type TextObject = { readonly type: string; readonly text: string; readonly emoji?: boolean };
export type Option = {
  readonly text: TextObject;
  readonly value?: string;
  readonly description?: TextObject;
};
export type OptionGroup = { readonly label: TextObject; readonly options: readonly Option[] };
export type ConfirmDialog = {
  readonly title: TextObject;
  readonly text: TextObject;
  readonly confirm: TextObject;
  readonly deny: TextObject;
  readonly style?: string;
};

/** An interactive element; its fields depend on its `type`. */
export type Element = {
  readonly type: string;
  readonly action_id?: string;
  readonly text?: TextObject;
  readonly style?: string;
  readonly confirm?: ConfirmDialog;
  readonly placeholder?: TextObject;
  readonly options?: readonly Option[];
  readonly option_groups?: readonly OptionGroup[];
  readonly multiline?: boolean;
  readonly max_length?: number;
  readonly min_query_length?: number;
  readonly focus_on_load?: boolean;
  readonly initial_option?: Option;
  readonly initial_options?: readonly Option[];
  readonly initial_value?: string;
  readonly initial_time?: string;
};

/** A block; its fields depend on its `type`. */
export type Block = {
  readonly type: string;
  readonly block_id?: string;
  readonly text?: TextObject;
  readonly fields?: readonly TextObject[];
  readonly expand?: boolean;
  readonly accessory?: Element;
  readonly elements?: readonly Element[] | readonly RichPart[] | readonly TextObject[];
  readonly element?: Element;
  readonly label?: TextObject;
  readonly hint?: TextObject;
  readonly optional?: boolean;
  readonly dispatch_action?: boolean;
  readonly rows?: readonly (readonly TableCell[])[];
  readonly column_settings?: readonly { readonly align?: string; readonly is_wrapped?: boolean }[];
  /** Of a chart. */
  readonly title?: string;
  readonly chart?: { readonly type: string; readonly series?: readonly ChartSeries[] };
};
export type ChartSeries = {
  readonly name: string;
  readonly data: readonly { readonly label: string; readonly value: number }[];
};

/** A part of a rich text: a section, list, quote or preformatted block, or something inside one. */
export type RichPart = {
  readonly type: string;
  readonly elements?: readonly RichPart[];
  readonly style?: RichStyle;
  readonly text?: string;
  readonly url?: string;
  readonly name?: string;
  readonly user_id?: string;
  readonly channel_id?: string;
  readonly usergroup_id?: string;
  readonly range?: string;
  readonly timestamp?: number;
  readonly format?: string;
  readonly fallback?: string;
};
export type RichStyle = {
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly strike?: boolean;
  readonly code?: boolean;
};
export type TableCell = Pick<RichPart, 'type' | 'text' | 'elements'>;
