/** What a person sees in the workspace: messages, files and conversations. */

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
