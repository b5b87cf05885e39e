/** What people of the local Slack do, and what they see of it: shared with its page. */

export type ControlAnswer = { readonly ok: true } | { readonly ok: false; readonly error: string };
export type CommandInput = {
  readonly user: string;
  readonly channel: string;
  readonly command: string;
  readonly text: string;
};
export type CommandAnswer =
  | { readonly ok: true; readonly trigger_id: string }
  | { readonly ok: false; readonly error: string };
export type MessageInput = {
  readonly user: string;
  readonly channel: string;
  readonly text: string;
  readonly thread_ts?: string;
};
export type ClickInput = {
  readonly user: string;
  readonly channel: string;
  readonly ts: string;
  readonly action_id: string;
  readonly block_id?: string;
  readonly value?: unknown;
  readonly confirm?: boolean;
  /** The modal or Home of the element, instead of a message. */
  readonly view_id?: string;
};
export type CloseInput = {
  readonly user: string;
  readonly view_id: string;
  /** By the cross: with the views below it. */
  readonly all?: boolean;
};
export type SubmitInput = {
  readonly user: string;
  readonly view_id: string;
  readonly values: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};
export type SuggestInput = {
  readonly user: string;
  readonly channel?: string;
  readonly ts?: string;
  readonly view_id?: string;
  readonly action_id: string;
  readonly block_id: string;
  readonly value: string;
};
/** `offers_invite`: it mentions the app in a channel where it is no member. */
export type SentMessageAnswer = ControlAnswer & { readonly ts?: string; readonly offers_invite?: true };
export type JoinInput = { readonly user: string; readonly channel: string };
export type ShortcutInput = {
  readonly user: string;
  readonly callback_id: string;
  readonly channel?: string;
  readonly ts?: string;
};
export type HomeInput = { readonly user: string; readonly tab?: 'home' | 'messages' };
export type ReactInput = {
  readonly user: string;
  readonly channel: string;
  readonly ts: string;
  /** Such as `eyes`, with or without colons. */
  readonly name: string;
  readonly remove?: boolean;
};
/**
 * `duplicate`, `reorder`: the next `times` events (default 1) arrive twice, or after the event that follows them.
 * `disconnect` (a warning, then the end ten seconds later), `refresh`, `half-open`, `kill-socket`: affect the oldest
 * `times` Socket Mode connections (default all). `verify`: sends the challenge for a signed HTTP address.
 */
export type DeliveryFaultInput = {
  readonly do: 'duplicate' | 'reorder' | 'disconnect' | 'refresh' | 'half-open' | 'kill-socket' | 'verify';
  readonly times?: number;
};
/** `connections`: how many were affected. */
export type DeliveryFaultAnswer = ControlAnswer & { readonly connections?: number };

/** A message as a person sees it. */
export type SeenMessage = {
  readonly ts: string;
  readonly user: string;
  readonly bot: boolean;
  readonly text: string;
  readonly blocks: readonly unknown[];
  readonly metadata: unknown;
  readonly ephemeral: boolean;
  readonly thread_ts: string | null;
  readonly attachments?: readonly unknown[];
  /** On the first message of a thread, in excerpts. */
  readonly reply_count?: number;
  readonly latest_reply?: string;
  readonly reply_users?: readonly string[];
  /** Shared files; absent when there are none. */
  readonly files?: readonly SeenFile[];
  /** Absent when there are none. */
  readonly reactions?: readonly { readonly name: string; readonly users: readonly string[] }[];
};
export type SeenFile = {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly mimetype: string;
  /** In bytes. */
  readonly size: number;
};
export type FileContent = SeenFile & { readonly bytes: Uint8Array<ArrayBuffer> };

export type Conversation = {
  readonly id: string;
  readonly name: string;
  readonly kind: 'public' | 'private' | 'im';
  readonly is_member: boolean;
};
/** Selects messages of a channel; without options, all of them. */
export type ExcerptQuery = {
  readonly user: string;
  readonly channel: string;
  /** At most this many: the newest, or with `after` the oldest. */
  readonly limit?: number;
  /** Only those with a smaller `ts`. */
  readonly before?: string;
  /** Only those with a greater `ts`. */
  readonly after?: string;
  /** Only this thread: its first message and the replies. */
  readonly thread?: string;
  /** False leaves out replies. */
  readonly replies?: boolean;
  /** Only what changed after this cursor of an earlier answer, whatever the other options are. */
  readonly since?: number;
};
export type Excerpt = {
  /** Oldest first. */
  readonly messages: readonly SeenMessage[];
  /** With `since`: the `ts` of deleted messages. */
  readonly removed: readonly string[];
  /** False when only the changes were read. True for everything, also when the changes are no longer known. */
  readonly whole: boolean;
  /** Whether there is more beyond the limit. */
  readonly more: boolean;
  readonly cursor: number;
};
