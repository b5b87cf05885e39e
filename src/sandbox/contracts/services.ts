/**
 * The interfaces between the parts of the sandbox. The control interface joins the parts through these types and knows
 * nothing of their insides.
 */

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { MovableClock } from '../../lib/clock.ts';
import type {
  ClickInput,
  CloseInput,
  CommandAnswer,
  CommandInput,
  ControlAnswer,
  Conversation,
  DeliveryFaultAnswer,
  DeliveryFaultInput,
  Excerpt,
  ExcerptQuery,
  FileContent,
  HomeInput,
  JoinInput,
  MessageInput,
  ReactInput,
  SeenMessage,
  SentMessageAnswer,
  ShortcutInput,
  SubmitInput,
  SuggestInput,
} from './people.ts';

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
export const WORLD_REQUESTS = [
  'patch-fails',
  'patch-applies',
  'device-added',
  'device-removed',
  'event',
  'device-offline',
  'device-online',
  'storm',
  'storm-fixed',
  'installs-fail',
  'installs-work',
  'live',
  'quiet',
] as const;
export type WorldRequest = {
  readonly do: (typeof WORLD_REQUESTS)[number];
  readonly device?: string;
  readonly name?: string;
  readonly count?: number;
  readonly patch?: string;
  readonly reason?: string;
  /** Milliseconds after which the event is listed, beside events that happened later. */
  readonly listed?: number;
  /** The event states no time. */
  readonly time?: null;
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

export type ServiceName = 'management' | 'slack';

/** What a write requested, without tokens: the service's JSON body, or the facts of a Slack message. */
export type SentFacts = Readonly<Record<string, unknown>>;

/** A request of the bot, recorded when received; `status` is null where no answer was sent. */
export type JournalEntry = {
  readonly at: number;
  readonly service: ServiceName;
  readonly method: string;
  readonly path: string;
  status: number | null;
  /** The fault applied to it. */
  readonly fault?: FaultKind;
  /** Only for requests that may change something. */
  sent?: SentFacts;
  /** What the service itself answered, and when, whether or not the answer was sent. Only beside `sent`. */
  done?: { readonly at: number; readonly status: number };
};

export const FAULT_KINDS = [
  'status',
  'slow',
  'late',
  'cut',
  'cut-after',
  'malformed',
  'throttle',
  'answer',
  'list',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];
export type Fault = {
  readonly service: ServiceName;
  /** A part of `"METHOD /path"`. */
  readonly match: string;
  readonly kind: FaultKind;
  /** How many more requests it affects; absent: until it is removed. */
  readonly times?: number;
  readonly status?: number;
  readonly ms?: number;
  /** Seconds; absent: a throttled management service sends none, as the real one, and Slack sends 1. */
  readonly retry_after?: number;
  /** Of `answer`: the JSON that is sent after the work is done, instead of what the service answered. */
  readonly body?: unknown;
  /** Of `list`: only so many of its first rows, or always this page. */
  readonly take?: number;
  readonly page?: number;
};

/** A fault in effect: for `left` more requests, `null` until it is removed. */
export type ActiveFault = Omit<Fault, 'times'> & { readonly left: number | null };

/** The wire between the bot and the services: records requests and applies faults. */
export type Wire = {
  /** The newest `last` entries, of one service or of both. */
  readonly journal: (service?: ServiceName, last?: number) => readonly JournalEntry[];
  /** Requests received so far, including those that the journal has dropped. */
  readonly requests: () => number;
  readonly inject: (fault: Fault) => void;
  /** The active faults, in the order in which they were added. */
  readonly faults: () => readonly ActiveFault[];
  readonly clearFaults: () => void;
  /** Clears journal and faults. */
  readonly reset: () => void;
  /** Starts an HTTP server on 127.0.0.1 (`port` 0: a free one) whose requests pass through journal and faults. */
  readonly serve: (options: ServeOptions) => Promise<Served>;
};
export type ServeOptions = {
  readonly service: ServiceName;
  readonly port?: number;
  /** Web-standard handler, such as a Hono app's `fetch`. */
  readonly fetch: (request: Request) => Response | Promise<Response>;
  /** WebSocket upgrades; without it they are refused. */
  readonly upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  readonly mount?: Mount;
};
/** A service that shares its address with something else. */
export type Mount = {
  /** Path before the service's own paths, such as `/api`; the service, journal and faults do not see it. */
  readonly root: string;
  /** Answers everything else, without journal and faults. */
  readonly beside: (request: Request) => Response | Promise<Response>;
};
export type Served = { readonly url: string; readonly port: number; readonly stop: () => Promise<void> };
