/** Block Kit as the page reads it. Types only: browsers never load this file. */

export type TextObject = {
  readonly type: string;
  readonly text: string;
  readonly emoji?: boolean;
  readonly verbatim?: boolean;
};
export type Option = {
  readonly text: TextObject;
  readonly value?: string;
  readonly description?: TextObject;
  readonly url?: string;
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
export type Element = InitialValues & {
  readonly type: string;
  readonly action_id?: string;
  readonly text?: TextObject | string;
  readonly value?: string;
  readonly url?: string;
  readonly style?: string;
  readonly confirm?: ConfirmDialog;
  readonly accessibility_label?: string;
  readonly placeholder?: TextObject;
  readonly options?: readonly Option[];
  readonly option_groups?: readonly OptionGroup[];
  readonly multiline?: boolean;
  readonly min_length?: number;
  readonly max_length?: number;
  readonly min_value?: string;
  readonly max_value?: string;
  readonly is_decimal_allowed?: boolean;
  readonly min_lines?: number;
  readonly max_lines?: number;
  readonly min_query_length?: number;
  readonly max_selected_items?: number;
  readonly max_files?: number;
  readonly filetypes?: readonly string[];
  readonly focus_on_load?: boolean;
  readonly dispatch_action_config?: { readonly trigger_actions_on: readonly string[] };
  readonly default_to_current_conversation?: boolean;
  readonly filter?: { readonly include?: readonly string[]; readonly exclude_bot_users?: boolean };
  readonly positive_button?: FeedbackButton;
  readonly negative_button?: FeedbackButton;
  readonly icon?: string;
  readonly visible_to_user_ids?: readonly string[];
  readonly image_url?: string;
  readonly slack_file?: { readonly id?: string; readonly url?: string };
  readonly alt_text?: string;
  readonly timezone?: string;
};
type FeedbackButton = {
  readonly text: TextObject;
  readonly value: string;
  readonly accessibility_label?: string;
};
/** Initial values of an element. */
export type InitialValues = {
  readonly initial_option?: Option;
  readonly initial_options?: readonly Option[];
  readonly initial_value?: string | Block;
  readonly initial_date?: string;
  readonly initial_time?: string;
  /** Seconds since 1970. */
  readonly initial_date_time?: number;
  readonly initial_user?: string;
  readonly initial_users?: readonly string[];
  readonly initial_channel?: string;
  readonly initial_channels?: readonly string[];
  readonly initial_conversation?: string;
  readonly initial_conversations?: readonly string[];
};

/** A block; its fields depend on its `type`. */
export type Block = CardBlockParts & {
  readonly type: string;
  readonly block_id?: string;
  readonly text?: TextObject | string;
  readonly fields?: readonly TextObject[];
  readonly expand?: boolean;
  readonly accessory?: Element;
  readonly elements?: readonly Element[] | readonly RichPart[] | readonly Block[];
  readonly element?: Element;
  readonly label?: TextObject;
  readonly hint?: TextObject;
  readonly optional?: boolean;
  readonly dispatch_action?: boolean;
  readonly image_url?: string;
  readonly slack_file?: { readonly id?: string; readonly url?: string };
  readonly alt_text?: string;
  readonly title?: TextObject | string;
  readonly caption?: string;
  readonly rows?: readonly (readonly TableCell[])[];
  readonly page_size?: number;
  readonly row_header_column_index?: number;
  readonly column_settings?: readonly ({ readonly align?: string; readonly is_wrapped?: boolean } | null)[];
  readonly chart?: Chart;
  /** Of an alert, or of a header. */
  readonly level?: string | number;
  readonly video_url?: string;
  readonly thumbnail_url?: string;
  readonly title_url?: string;
  readonly author_name?: string;
  readonly provider_name?: string;
  readonly provider_icon_url?: string;
  readonly description?: TextObject;
  readonly external_id?: string;
};
/** Cards, containers, plans and tasks. */
export type CardBlockParts = {
  readonly hero_image?: Element;
  /** A picture, or the name of Slack's icon on a task. */
  readonly icon?: Element & { readonly name?: string };
  readonly slack_icon?: { readonly name: string };
  readonly subtitle?: TextObject;
  readonly body?: TextObject;
  readonly subtext?: TextObject;
  readonly actions?: readonly Element[];
  readonly child_blocks?: readonly Block[];
  readonly rich_text_title?: Block;
  readonly width?: string;
  readonly is_collapsible?: boolean;
  readonly default_collapsed?: boolean;
  readonly has_header_divider?: boolean;
  readonly tasks?: readonly Block[];
  readonly task_id?: string;
  readonly details?: Block;
  readonly output?: Block;
  readonly sources?: readonly { readonly url: string; readonly text: string }[];
  readonly status?: string;
  readonly hide_title?: boolean;
};
export type Chart = {
  readonly type: string;
  readonly segments?: readonly { readonly label: string; readonly value: number }[];
  readonly series?: readonly ChartSeries[];
  readonly axis_config?: {
    readonly categories: readonly string[];
    readonly x_label?: string;
    readonly y_label?: string;
  };
};
export type ChartSeries = {
  readonly name: string;
  readonly data: readonly { readonly label: string; readonly value: number }[];
};

/** A part of a rich text: a section, list, quote or preformatted block, or something inside one. */
export type RichPart = {
  readonly type: string;
  readonly elements?: readonly RichPart[];
  readonly style?: string | RichStyle;
  readonly indent?: number;
  readonly offset?: number;
  readonly text?: string;
  readonly url?: string;
  readonly name?: string;
  readonly unicode?: string;
  readonly user_id?: string;
  readonly channel_id?: string;
  readonly message_ts?: string;
  readonly file_id?: string;
  readonly usergroup_id?: string;
  readonly range?: string;
  readonly timestamp?: number;
  readonly format?: string;
  readonly timezone?: string;
  readonly fallback?: string;
  readonly value?: string;
  readonly skin_tone?: number;
  readonly border?: number;
  /** Of a tag. */
  readonly color?: string;
  /** Of a canvas. */
  readonly label?: string;
  readonly root_message_channel?: string;
  readonly root_message_ts?: string;
  readonly salesforce_record_id?: string;
  readonly salesforce_field_label?: string;
  readonly salesforce_include_field_label?: boolean;
};
export type RichStyle = {
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly strike?: boolean;
  readonly code?: boolean;
  readonly underline?: boolean;
  readonly highlight?: boolean;
  readonly client_highlight?: boolean;
  readonly unlink?: boolean;
};
export type TableCell = Omit<RichPart, 'value' | 'fallback'> & {
  readonly value?: number | string;
  /** The button of an `action_cell`. */
  readonly element?: Element;
};
