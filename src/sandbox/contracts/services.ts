/**
 * What the parts of the sandbox promise each other. The control interface joins them: it knows these types
 * and nothing of their insides.
 */
import type { MovableClock } from '../../lib/clock.ts';
import type { Mount, Wire } from './traffic.ts';
import type { Conversation, Excerpt, ExcerptQuery, FileContent, SeenMessage } from './visible-messages.ts';

export type * from './traffic.ts';
export type * from './visible-messages.ts';

/** The management service with its world. */
export type ManagementService = {
  /** Root of the interface, without a trailing slash. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Its writes are refused with 403. */
  readonly readOnlyKey: string;
  /** Refused with 401. */
  readonly expiredKey: string;
  readonly organizationId: number;
  readonly world: (order: WorldRequest) => WorldResult;
  /** Devices whose names hold this text in whatever case, at most so many. */
  readonly searchDevices: (part: string, most: number) => readonly DeviceOption[];
  /** Whether the world lives by itself: `live` was asked for, and `quiet` not since. */
  readonly isLive: () => boolean;
  /** Back to the seed. */
  readonly reset: () => void;
  readonly stop: () => Promise<void>;
};
/** `value` is what an order takes: the name, or the id where several have it. */
export type DeviceOption = { readonly value: string; readonly label: string };
export type ManagementOptions = {
  readonly clock: MovableClock;
  readonly wire: Wire;
  readonly port?: number;
  readonly devices?: number;
  /** How many events its history has; absent: about ten a device, a few hundred for a small fleet. */
  readonly events?: number;
  readonly profile?: 'documented' | 'live';
  /** The service's rate limits; off by default. Its answers count either way. */
  readonly rateLimits?: boolean;
  readonly mount?: Mount;
};
export type WorldRequest = {
  readonly do:
    | 'patch-fails'
    | 'patch-applies'
    | 'device-added'
    | 'device-removed'
    | 'device-offline'
    | 'device-online'
    | 'storm'
    | 'installs-fail'
    | 'installs-work'
    | 'live'
    | 'quiet';
  readonly device?: string;
  readonly name?: string;
  readonly count?: number;
  readonly patch?: string;
  readonly reason?: string;
};
export type WorldResult =
  | { readonly ok: true; readonly events: readonly number[] }
  | { readonly ok: false; readonly error: string };

/** The Slack workspace. Users and channels are taken by name or id everywhere. */
export type Workspace = {
  /** Ends in `/api/`. */
  readonly apiUrl: string;
  readonly botToken: string;
  readonly appToken: string;
  readonly signingSecret: string;
  readonly users: () => readonly { readonly id: string; readonly name: string; readonly role: string }[];
  readonly channels: () => readonly {
    readonly id: string;
    readonly name: string;
    /** Only its members know of it. */
    readonly isPrivate?: true;
  }[];
  /** User groups, for the configuration file. */
  readonly userGroups: () => readonly {
    readonly id: string;
    readonly handle: string;
    readonly users: readonly string[];
  }[];
  /** Where signed HTTP deliveries go, such as `http://127.0.0.1:4000`; used with the `http` transport. */
  readonly setBotUrl: (url: string | null) => void;
  /** Slash commands of the installed app, from the manifest. */
  readonly commands: () => readonly {
    readonly command: string;
    readonly description: string;
    readonly usageHint: string;
  }[];
  /** Shortcuts of the installed app, from the manifest. */
  readonly shortcuts: () => readonly {
    readonly callback_id: string;
    readonly name: string;
    readonly type: 'global' | 'message';
    readonly description: string;
  }[];
  readonly command: (order: CommandInput) => Promise<CommandAnswer>;
  readonly message: (order: MessageInput) => Promise<ControlAnswer & { readonly ts?: string }>;
  readonly messages: (view: {
    readonly channel: string;
    readonly user: string;
  }) => readonly SeenMessage[] | null;
  /** A part of a channel, or what has changed in it; null when this person sees none of it. */
  readonly excerpt: (order: ExcerptQuery) => Excerpt | null;
  /** Grows with every change of a message. */
  readonly cursor: () => number;
  /** The ids of the channels with changes after that cursor; null when that cannot be told any more. */
  readonly channelsSince: (cursor: number) => readonly string[] | null;
  /** Where this person can read or write. */
  readonly conversations: (user: string) => readonly Conversation[];
  /** The content of a file; null when this person sees no message with it. */
  readonly file: (order: { readonly user: string; readonly id: string }) => FileContent | null;
  /** Takes a person's file, for a form; it is not shared anywhere. */
  readonly upload: (
    order: UploadInput,
  ) => Promise<ControlAnswer & { readonly file?: { id: string; name: string } }>;
  readonly click: (order: ClickInput) => Promise<ControlAnswer>;
  readonly views: (user: string) => { readonly modals: readonly unknown[]; readonly home: unknown };
  readonly submit: (
    order: SubmitInput,
  ) => Promise<ControlAnswer & { readonly errors?: Readonly<Record<string, string>> }>;
  readonly close: (order: { readonly user: string; readonly view_id: string }) => Promise<ControlAnswer>;
  readonly suggest: (
    order: SuggestInput,
  ) => Promise<ControlAnswer & { readonly options?: readonly unknown[] }>;
  /** Adds the bot to a channel, as a person would with /invite; delivers `member_joined_channel`. */
  readonly invite: (order: { readonly user: string; readonly channel: string }) => Promise<ControlAnswer>;
  /** A person comes into a public channel; delivers `member_joined_channel` where the bot is. */
  readonly join: (order: JoinInput) => Promise<ControlAnswer>;
  /** The direct message of a person, others and the bot: the one there is, or a new one. */
  readonly open: (order: OpenConversationInput) => Promise<ControlAnswer & { readonly channel?: string }>;
  /** Uses a shortcut of the app: a global one, or one on the message that `channel` and `ts` name. */
  readonly shortcut: (order: ShortcutInput) => Promise<ControlAnswer>;
  /** Opens the app's Home, or its messages; delivers `app_home_opened`. */
  readonly home: (order: HomeInput) => Promise<ControlAnswer>;
  /** Puts a reaction on a message, or takes it back. */
  readonly react: (order: ReactInput) => Promise<ControlAnswer>;
  /** What goes wrong between Slack and the bot. */
  readonly delivery: (order: DeliveryFaultInput) => Promise<DeliveryFaultAnswer>;
  /** Called after anything that a person could see has changed; returns how to stop listening. */
  readonly onChange: (listener: () => void) => () => void;
  /** Back to the seed; connections stay. */
  readonly reset: () => void;
  readonly stop: () => Promise<void>;
};
export type WorkspaceOptions = {
  readonly clock: MovableClock;
  readonly wire: Wire;
  readonly transport: 'socket' | 'http';
  readonly port?: number;
  /** The app's manifest (parsed manifest.yml): commands, scopes, events. */
  readonly manifest: unknown;
  /** Slack's published rate limits; off by default. */
  readonly rateLimits?: boolean;
};
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
  /** A reply that shall also stand in the channel. */
  readonly broadcast?: boolean;
};
export type UploadInput = {
  readonly user: string;
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
};
export type ClickInput = {
  readonly user: string;
  readonly channel: string;
  readonly ts: string;
  readonly action_id: string;
  readonly block_id?: string;
  readonly value?: unknown;
  readonly confirm?: boolean;
  /** A modal's or Home's element instead of a message's. */
  readonly view_id?: string;
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
export type JoinInput = { readonly user: string; readonly channel: string };
export type OpenConversationInput = { readonly user: string; readonly people: readonly string[] };
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
 * `duplicate`, `reorder`: the next `times` events (one unless said otherwise) come twice, or after the one that
 * follows. `disconnect` (a warning, and the end ten seconds later), `refresh`, `half-open`, `kill-socket`: the
 * oldest `times` connections of Socket Mode, all unless said otherwise. `verify`: the challenge of an address
 * for signed HTTP.
 */
export type DeliveryFaultInput = {
  readonly do: 'duplicate' | 'reorder' | 'disconnect' | 'refresh' | 'half-open' | 'kill-socket' | 'verify';
  readonly times?: number;
};
/** `connections`: how many of them it met. */
export type DeliveryFaultAnswer = ControlAnswer & { readonly connections?: number };

/** The product as a child process. */
export type ProductProcess = {
  /**
   * Resolves once it is ready; rejects with its last lines when it ended before that. Nothing to do when it runs.
   * `skewMs`: how far the wall clock that the process sees is apart from this machine's; 0 unless told.
   */
  readonly start: (skewMs?: number) => Promise<void>;
  /** SIGTERM, and SIGKILL when that is not heard; a paused process goes on first. */
  readonly stop: () => Promise<void>;
  /** SIGKILL. */
  readonly kill: () => Promise<void>;
  /** SIGSTOP: it stands still, with its connections open, until it is resumed or killed. */
  readonly pause: () => void;
  /** SIGCONT; its clock is then brought to the sandbox's. */
  readonly resume: () => void;
  readonly running: () => boolean;
  readonly paused: () => boolean;
  /**
   * Brings its clock to the sandbox's; resolves when what fell due there is done, or when it has ended. Nobody waits
   * for a paused one.
   */
  readonly waitForClock: () => Promise<void>;
};
