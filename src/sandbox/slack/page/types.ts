/** What the page reads from the control interface, Block Kit, and its own state. Types only: browsers never load this file. */
import type { VNode } from 'preact';
import type { Conversation, Excerpt as SeenExcerpt, SeenMessage } from '../../contracts/people.ts';

export type { Conversation, SeenFile } from '../../contracts/people.ts';

export type ManifestCommand = {
  readonly command: string;
  readonly description: string;
  readonly usageHint: string;
};

/** `GET /sandbox/state`. */
export type SandboxState = {
  readonly users: readonly { readonly id: string; readonly name: string; readonly role: string }[];
  readonly channels: readonly { readonly id: string; readonly name: string }[];
  readonly userGroups: readonly {
    readonly id: string;
    readonly handle: string;
    readonly users?: readonly string[];
  }[];
  readonly slack?: { readonly apiUrl?: string } | null;
  readonly clock: number;
  readonly bot: { readonly running: boolean };
  readonly catchingUp: boolean;
  readonly living: boolean;
  readonly faults: readonly ActiveFault[];
};
/** `GET /sandbox/bot`. */
export type ProcessHealth = {
  readonly running?: number;
  readonly last_exit?: { readonly at: number; readonly how: string; readonly wanted: boolean } | null;
  readonly lines?: readonly { readonly at: number; readonly text: string }[];
};
/** A request of the bot, from `GET /sandbox/journal`. */
export type JournalLine = {
  readonly at: number;
  readonly service?: string;
  readonly method: string;
  readonly path: string;
  readonly status: number | null;
};
export type ActiveFault = {
  readonly service: string;
  readonly match: string;
  readonly kind: string;
  /** `null`: until it is removed. */
  readonly left: number | null;
  readonly status?: number;
  readonly ms?: number;
  readonly retry_after?: number;
  readonly take?: number;
  readonly page?: number;
};

/** A message of `GET /sandbox/messages`. */
export type Message = Omit<SeenMessage, 'blocks' | 'attachments'> & {
  readonly blocks?: readonly Block[];
  /** What the app shows for links in a person's message. */
  readonly attachments?: readonly { readonly blocks?: readonly Block[] }[];
};
/** A part of a channel, from `GET /sandbox/messages` with further parameters. */
export type Excerpt = Partial<Omit<SeenExcerpt, 'messages'>> & {
  readonly messages?: readonly Message[];
  readonly error?: string;
};
export type Shortcut = {
  readonly name: string;
  readonly type: string;
  readonly callback_id: string;
  readonly description?: string;
};
/** A person's unread messages in a channel. */
export type Unread = { readonly count: number; readonly mentions: number };

export type ControlAnswer = {
  readonly ok: boolean;
  readonly error?: string;
  /** The message mentions the app in a channel where it is no member. */
  readonly offers_invite?: boolean;
};
export type SubmitAnswer = ControlAnswer & { readonly errors?: Readonly<Record<string, string>> };

export type SlackView = {
  readonly id: string;
  readonly type?: string;
  readonly callback_id?: string;
  readonly previous_view_id?: string | null;
  readonly title?: TextObject;
  readonly submit?: TextObject | null;
  readonly close?: TextObject | null;
  readonly blocks?: readonly Block[];
};

/** The location of an element: in a message, or in a view. */
export type SurfaceLocation = { readonly channel: string; readonly ts: string; readonly view_id?: string };

/** What the blocks and elements of a message or view need from the page to render themselves and to act. */
export type RenderContext = ViewerContext & {
  readonly dispatchAction: (input: ActionInput) => Promise<ControlAnswer>;
  readonly suggest: (input: {
    readonly action_id: string;
    readonly block_id: string;
    readonly value: string;
  }) => Promise<Suggestions>;
  /** What its elements hold. */
  readonly fields: Map<string, Field>;
  /** Shows why an action failed whose element is gone; null: nobody looks there. */
  readonly fail: ((words: string) => void) | null;
};
export type Suggestions = { readonly options: readonly Option[]; readonly error?: string };
export type ActionInput = {
  readonly action_id: string;
  readonly block_id: string;
  readonly value?: unknown;
  readonly confirm?: boolean;
};

/** An element's position in its block. `dispatches` is false inside an input block: its value waits for submit. */
export type ElementSlot = {
  readonly blockId: string;
  readonly dispatches: boolean;
  readonly labelledBy?: string;
  readonly describedBy?: string | undefined;
  readonly isInvalid?: boolean;
  readonly isOptional?: boolean;
  /** Shows why its action failed; null: it has not. */
  readonly fail: (words: string | null) => void;
};

/** Access to what an element holds. */
export type Field = {
  readonly blockId: string;
  readonly actionId: string;
  /** Its value is sent with the next action of another element. */
  readonly isSilent: boolean;
  readonly isTouched: () => boolean;
  /** As the workspace takes it; `null` or an empty list where nothing is entered. */
  readonly value: () => unknown;
  /** The error that Slack's client shows before sending; `null` where there is none. */
  readonly fault: () => string | null;
  /** The value that was sent last, as JSON. */
  reported: string;
};

/** Names for ids in texts. */
export type Names = {
  readonly person: (id: string) => string;
  /** Null for a channel that the viewer does not see. */
  readonly channel: (id: string) => string | null;
  readonly group: (id: string) => string;
};

export type Tab = 'home' | 'messages' | 'about';

/** The page's whole state; parts render from it and change it only through the store. */
export type State = {
  readonly world: SandboxState | null;
  readonly commands: readonly ManifestCommand[];
  /** Name of the current person. */
  readonly me: string;
  /** Name of the open channel, or `@person` for the direct messages with the bot. */
  readonly channel: string;
  readonly shortcuts: readonly Shortcut[];
  readonly conversations: readonly Conversation[];
  /** The open tab of the app in its direct messages. */
  readonly tab: Tab;
  readonly messages: readonly Message[] | null;
  /** Whether the channel has earlier messages. */
  readonly hasEarlier: boolean;
  /** The line “New” is above this `ts`; empty: nothing was new when the channel was opened; null: not known yet. */
  readonly firstNew: string | null;
  readonly modals: readonly SlackView[];
  /** The Home that the app published for this person. */
  readonly home: SlackView | null;
  readonly thread: string | null;
  readonly threadMessages: readonly Message[] | null;
  readonly unread: ReadonlyMap<string, Unread>;
  readonly connected: boolean;
  readonly problem: string | null;
  readonly isSidebarOpen: boolean;
  readonly isOutsideOpen: boolean;
  /** What just happened, for a moment. */
  readonly saying: string | null;
};

/** What can stand in a template. */
export type Drawn = VNode | string | number | boolean | null | undefined | readonly Drawn[];

/** What a text needs to be rendered. */
export type ViewerContext = {
  readonly names: Names;
  readonly now: () => number;
};

export type TextObject = { readonly type: string; readonly text: string; readonly emoji?: boolean };
export type Option = {
  readonly text: TextObject;
  readonly value?: string;
  readonly description?: TextObject;
};
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
  readonly option_groups?: readonly { readonly label: TextObject; readonly options: readonly Option[] }[];
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
