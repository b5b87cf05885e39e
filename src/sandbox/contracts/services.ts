/**
 * The interfaces between the parts of the sandbox. The control interface joins the parts through these types and knows
 * nothing of their insides.
 */
import type { MovableClock } from '../../lib/clock.ts';
import type {
  ClickInput,
  CloseInput,
  CommandAnswer,
  CommandInput,
  ControlAnswer,
  DeliveryFaultAnswer,
  DeliveryFaultInput,
  HomeInput,
  JoinInput,
  MessageInput,
  ReactInput,
  SentMessageAnswer,
  ShortcutInput,
  SubmitInput,
  SuggestInput,
} from './person-actions.ts';
import type { Mount, Wire } from './traffic.ts';
import type { Conversation, Excerpt, ExcerptQuery, FileContent, SeenMessage } from './visible-messages.ts';

export type * from './person-actions.ts';
export type * from './traffic.ts';
export type * from './visible-messages.ts';

/** The management service and its simulated fleet. */
export type ManagementService = {
  /** Base URL of the interface, without a trailing slash. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Writes with this key are refused with 403. */
  readonly readOnlyKey: string;
  /** Refused with 401. */
  readonly expiredKey: string;
  readonly organizationId: number;
  readonly world: (input: WorldRequest) => WorldResult;
  /** Devices whose names contain this text, ignoring case; at most `most`. */
  readonly searchDevices: (part: string, most: number) => readonly DeviceOption[];
  /** Whether events happen spontaneously: switched on by `live`, off by `quiet`. */
  readonly isLive: () => boolean;
  /** Resets to the seed. */
  readonly reset: () => void;
  readonly stop: () => Promise<void>;
};
/** `value` is what a request takes: the name, or the id where several devices share the name. */
export type DeviceOption = { readonly value: string; readonly label: string };
export type ManagementOptions = {
  readonly clock: MovableClock;
  readonly wire: Wire;
  readonly port?: number;
  readonly devices?: number;
  /** Number of events in the history; absent: about ten per device, a few hundred for a small fleet. */
  readonly events?: number;
  readonly profile?: 'documented' | 'live';
  /** Enforces the service's rate limits; off by default. The headers count either way. */
  readonly rateLimits?: boolean;
  readonly mount?: Mount;
};
export type WorldRequest = {
  readonly do:
    | 'patch-fails'
    | 'patch-applies'
    | 'device-added'
    | 'device-removed'
    | 'event'
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

/** The Slack workspace. Every function takes users and channels by name or id. */
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
    /** Visible only to its members. */
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
  readonly command: (input: CommandInput) => Promise<CommandAnswer>;
  readonly message: (input: MessageInput) => Promise<SentMessageAnswer>;
  readonly messages: (view: {
    readonly channel: string;
    readonly user: string;
  }) => readonly SeenMessage[] | null;
  /** A part of a channel, or what changed in it; null when this person may not see the channel. */
  readonly excerpt: (input: ExcerptQuery) => Excerpt | null;
  /** Grows with every change of a message. */
  readonly cursor: () => number;
  /** Ids of the channels that changed after that cursor; null when that is no longer known. */
  readonly channelsSince: (cursor: number) => readonly string[] | null;
  /** The conversations that this person can read or write in. */
  readonly conversations: (user: string) => readonly Conversation[];
  /** The content of a file; null when this person sees no message with it. */
  readonly file: (input: { readonly user: string; readonly id: string }) => FileContent | null;
  readonly click: (input: ClickInput) => Promise<ControlAnswer>;
  readonly views: (user: string) => { readonly modals: readonly unknown[]; readonly home: unknown };
  readonly submit: (
    input: SubmitInput,
  ) => Promise<ControlAnswer & { readonly errors?: Readonly<Record<string, string>> }>;
  readonly close: (input: CloseInput) => Promise<ControlAnswer>;
  readonly suggest: (
    input: SuggestInput,
  ) => Promise<ControlAnswer & { readonly options?: readonly unknown[] }>;
  /** Adds the bot to a channel, as a person would with /invite; delivers `member_joined_channel`. */
  readonly invite: (input: { readonly user: string; readonly channel: string }) => Promise<ControlAnswer>;
  /** A person joins a public channel; delivers `member_joined_channel` if the bot is in it. */
  readonly join: (input: JoinInput) => Promise<ControlAnswer>;
  /** Uses a shortcut of the app: a global one, in `channel` if it names one, or one on the message that `channel` and `ts` name. */
  readonly shortcut: (input: ShortcutInput) => Promise<ControlAnswer>;
  /** Opens the app's Home, or its messages; delivers `app_home_opened`. */
  readonly home: (input: HomeInput) => Promise<ControlAnswer>;
  /** Adds a reaction to a message, or removes it. */
  readonly react: (input: ReactInput) => Promise<ControlAnswer>;
  /** Applies a fault to the delivery from Slack to the bot. */
  readonly delivery: (input: DeliveryFaultInput) => Promise<DeliveryFaultAnswer>;
  /** Calls the listener after every visible change; returns a function that stops it. */
  readonly onChange: (listener: () => void) => () => void;
  /** Resets to the seed; connections stay open. */
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
/** The product as a child process. */
export type ProductProcess = {
  /**
   * Resolves when the product is ready; rejects with its last lines if it ended before. Does nothing while it runs.
   * `skewMs`: offset of the wall clock that the process sees from this machine's; default 0.
   */
  readonly start: (skewMs?: number) => Promise<void>;
  /** Sends SIGTERM, and SIGKILL if the process does not end; a paused process is resumed first. */
  readonly stop: () => Promise<void>;
  /**
   * Stops the product but keeps its process and loaded modules for the next `start`, which then is faster. False: it
   * can't, and has to be stopped.
   */
  readonly rest: () => Promise<boolean>;
  /** SIGKILL. */
  readonly kill: () => Promise<void>;
  /** SIGSTOP: the process stops with its connections open until it is resumed or killed. */
  readonly pause: () => void;
  /** SIGCONT; then its clock is set to the sandbox's. */
  readonly resume: () => void;
  /** A resting process counts as running. */
  readonly running: () => boolean;
  readonly paused: () => boolean;
  /**
   * Moves its clock to the sandbox's; resolves when what was due there is done, or when it has ended. Does not wait for
   * a paused or resting process.
   */
  readonly waitForClock: () => Promise<void>;
};
