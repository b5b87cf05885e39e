/** What the page reads from the control interface, and its own state. Types only: browsers never load this file. */
import type { Conversation, Excerpt as SeenExcerpt, SeenMessage } from '../../contracts/visible-messages.ts';
import type { Block, Option, TextObject } from './block-kit.ts';

export type { Conversation, SeenFile } from '../../contracts/visible-messages.ts';
export type * from './block-kit.ts';

export type Person = { readonly id: string; readonly name: string; readonly role: string };
export type Channel = { readonly id: string; readonly name: string };
export type ManifestCommand = {
  readonly command: string;
  readonly description: string;
  readonly usageHint: string;
};

/** `GET /sandbox/state`. */
export type SandboxState = {
  readonly users: readonly Person[];
  readonly channels: readonly Channel[];
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
  readonly attachments?: readonly Attachment[];
};
/** What the app shows for a link in a person's message. */
export type Attachment = { readonly blocks?: readonly Block[] };
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

/** What a block or element needs from the page to render itself and to act. */
export type RenderContext = ViewerContext & {
  readonly location: SurfaceLocation;
  readonly dispatchAction: (input: ActionInput) => Promise<ControlAnswer>;
  readonly suggest: (input: {
    readonly action_id: string;
    readonly block_id: string;
    readonly value: string;
  }) => Promise<Suggestions>;
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
  readonly describedBy?: string;
  readonly isOptional?: boolean;
};

/** Access to what a person entered into an element. */
export type FieldHandle = {
  /** The value as the workspace takes it; `null` or an empty list where nothing is entered. */
  readonly value: () => unknown;
  /** The state that a redraw of the element restores. */
  readonly state: () => FieldSnapshot;
  readonly restore: (state: FieldSnapshot) => void;
  /** The error that Slack's client shows before sending; `null` where there is none. */
  readonly fault?: () => string | null;
};
export type FieldSnapshot = {
  readonly text?: string;
  readonly options?: readonly Option[];
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
};

/** What a text needs to be rendered. */
export type ViewerContext = {
  readonly names: Names;
  readonly now: () => number;
};
