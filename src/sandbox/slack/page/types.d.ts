/** What the page reads from the control interface, and its own state. Types only: the browser never asks for this file. */

export type Person = { readonly id: string; readonly name: string; readonly role: string };
export type Channel = { readonly id: string; readonly name: string };
export type Command = {
  readonly command: string;
  readonly description: string;
  readonly usageHint: string;
};

/** `GET /sandbox/state`. */
export type World = {
  readonly users: readonly Person[];
  readonly channels: readonly Channel[];
  readonly userGroups?: readonly { readonly id: string; readonly handle: string }[];
  readonly clock: number | string;
  readonly bot?: { readonly running?: boolean; readonly id?: string };
  readonly living?: boolean;
  readonly faults?: readonly FaultInForce[];
};
export type FaultInForce = {
  readonly service: string;
  readonly match: string;
  readonly kind: string;
  /** `null`: until it is removed. */
  readonly left: number | null;
  readonly status?: number;
  readonly ms?: number;
  readonly retry_after?: number;
};

/** A message of `GET /sandbox/messages`. */
export type Message = {
  readonly ts: string;
  readonly user: string;
  readonly bot: boolean;
  readonly text: string;
  readonly blocks?: readonly Block[];
  readonly metadata?: unknown;
  readonly ephemeral?: boolean;
  readonly thread_ts?: string | null;
  readonly edited?: boolean;
};

export type Answer = { readonly ok: boolean; readonly error?: string };
export type SubmitAnswer = Answer & { readonly errors?: Readonly<Record<string, string>> };

export type Text = { readonly type: string; readonly text: string; readonly emoji?: boolean };
export type Option = {
  readonly text: Text;
  readonly value?: string;
  readonly description?: Text;
  readonly url?: string;
};
export type OptionGroup = { readonly label: Text; readonly options: readonly Option[] };
export type Confirm = {
  readonly title: Text;
  readonly text: Text;
  readonly confirm: Text;
  readonly deny: Text;
  readonly style?: string;
};

/** An interactive element; which fields it has depends on its `type`. */
export type Element = {
  readonly type: string;
  readonly action_id?: string;
  readonly text?: Text | string;
  readonly value?: string;
  readonly url?: string;
  readonly style?: string;
  readonly confirm?: Confirm;
  readonly accessibility_label?: string;
  readonly placeholder?: Text;
  readonly options?: readonly Option[];
  readonly option_groups?: readonly OptionGroup[];
  readonly initial_option?: Option;
  readonly initial_options?: readonly Option[];
  readonly initial_value?: string;
  readonly initial_date?: string;
  readonly initial_user?: string;
  readonly multiline?: boolean;
  readonly min_length?: number;
  readonly max_length?: number;
  readonly min_query_length?: number;
  readonly image_url?: string;
  readonly alt_text?: string;
};

/** A block; which fields it has depends on its `type`. */
export type Block = {
  readonly type: string;
  readonly block_id?: string;
  readonly text?: Text | string;
  readonly fields?: readonly Text[];
  readonly accessory?: Element;
  readonly elements?: readonly Element[] | readonly RichPart[];
  readonly element?: Element;
  readonly label?: Text;
  readonly hint?: Text;
  readonly optional?: boolean;
  readonly dispatch_action?: boolean;
  readonly image_url?: string;
  readonly alt_text?: string;
  readonly title?: Text;
  readonly rows?: readonly (readonly Cell[])[];
  readonly column_settings?: readonly ({ readonly align?: string; readonly is_wrapped?: boolean } | null)[];
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
  readonly usergroup_id?: string;
  readonly range?: string;
  readonly timestamp?: number;
  readonly format?: string;
  readonly fallback?: string;
  readonly value?: string;
};
export type RichStyle = {
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly strike?: boolean;
  readonly code?: boolean;
};
export type Cell = RichPart & { readonly value?: number | string };

export type View = {
  readonly id: string;
  readonly type?: string;
  readonly callback_id?: string;
  readonly title?: Text;
  readonly submit?: Text | null;
  readonly close?: Text | null;
  readonly blocks?: readonly Block[];
};

/** Where an element stands: in a message, or in a view. */
export type Place = { readonly channel: string; readonly ts: string; readonly view_id?: string };

/** What a block or element needs from the page in order to draw itself and to act. */
export type Surface = Reader & {
  readonly place: Place;
  readonly people: readonly Person[];
  readonly act: (order: Act) => Promise<Answer>;
  readonly suggest: (order: {
    readonly action_id: string;
    readonly block_id: string;
    readonly value: string;
  }) => Promise<{ readonly options: readonly Option[]; readonly error?: string }>;
};
export type Act = {
  readonly action_id: string;
  readonly block_id: string;
  readonly value?: unknown;
  readonly confirm?: boolean;
};

/** An element's place in its block. `dispatches` is false inside an input block: its value waits for submit. */
export type Slot = { readonly blockId: string; readonly dispatches: boolean; readonly labelledBy?: string };

/** Names for ids that stand in texts. */
export type Names = {
  readonly person: (id: string) => string;
  readonly channel: (id: string) => string;
  readonly group: (id: string) => string;
};

/** All that the page knows; parts draw from it and change it only through the store. */
export type State = {
  readonly world: World | null;
  readonly commands: readonly Command[];
  /** Name of the person whose eyes these are. */
  readonly me: string;
  /** Name of the open channel, or `@person` for the direct messages with the bot. */
  readonly channel: string;
  readonly messages: readonly Message[] | null;
  readonly modals: readonly View[];
  readonly thread: string | null;
  readonly unread: ReadonlySet<string>;
  readonly connected: boolean;
  readonly problem: string | null;
  readonly isSidebarOpen: boolean;
  readonly isOutsideOpen: boolean;
};

/** What a text needs in order to be drawn. */
export type Reader = { readonly names: Names; readonly now: () => number };
