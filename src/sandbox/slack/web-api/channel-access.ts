/** Finds the channel and the thread of a call, and checks what the bot may do there. */
import type { WorkspaceCore } from '../core/core.ts';
import type { Channel, ChannelKind } from '../state/directory.ts';
import { type ApiError, type CallArguments, errorReply, type Lookup, missingArgumentReply } from './calls.ts';

const PREFIX: Readonly<Record<ChannelKind, string>> = { public: 'channels', private: 'groups', im: 'im' };

/** The scopes that give access to conversations of any type; there are no group direct messages here. */
export function scopesFor(right: 'read' | 'history'): readonly string[] {
  return [...Object.values(PREFIX), 'mpim'].map((prefix) => `${prefix}:${right}`);
}

/** The scope that gives access to conversations of this type. */
export function scopeOf(kind: ChannelKind, right: 'read' | 'history'): string {
  return `${PREFIX[kind]}:${right}`;
}

export function lacksScope({ manifest }: WorkspaceCore, scope: string): ApiError | null {
  if (manifest.scopes.has(scope)) return null;
  return errorReply('missing_scope', { needed: scope, provided: [...manifest.scopes].join(',') });
}

/**
 * The channel with the id in `channel`, if the bot may know that it exists. An empty id is one of no channel, and not a
 * missing argument (brekkylab/backlot#84).
 */
export function findChannel(args: CallArguments, core: WorkspaceCore): Lookup<Channel> {
  if (args.all['channel'] === '') return errorReply('channel_not_found');
  const id = args.text('channel');
  if (id === undefined) return missingArgumentReply('channel');
  const channel = core.directory.channel(id);
  return channel && isKnown(channel, core) ? { ok: true, value: channel } : errorReply('channel_not_found');
}

/** The same, if the app also has the scope for this type of channel. */
export function findChannelWithScope(
  args: CallArguments,
  core: WorkspaceCore,
  right: 'read' | 'history',
): Lookup<Channel> {
  const lookup = findChannel(args, core);
  if (!lookup.ok) return lookup;
  return lacksScope(core, scopeOf(lookup.value.kind, right)) ?? lookup;
}

/** The destination of a message: a channel, or a person, who gets a direct message. */
export function channelOrPerson(id: string, { directory }: WorkspaceCore): Channel | undefined {
  const person = directory.people().find((each) => each.id === id);
  return person ? directory.direct(person) : directory.channel(id);
}

/** The destination in `channel`, if the bot may post there. */
export function findAddressee(args: CallArguments, core: WorkspaceCore): Lookup<Channel> {
  const direct = channelOrPerson(args.text('channel') ?? '', core);
  const lookup: Lookup<Channel> =
    direct?.kind === 'im' ? { ok: true, value: direct } : findChannel(args, core);
  if (!lookup.ok) return lookup;
  const { archived, members } = lookup.value;
  if (archived) return errorReply('is_archived');
  return members.has(core.app.botUser) ? lookup : errorReply('not_in_channel');
}

function isKnown({ kind, members }: Channel, { app }: WorkspaceCore): boolean {
  return kind === 'public' || members.has(app.botUser);
}

/**
 * The thread that `thread_ts` names, by its parent or by any reply. Like Slack, it accepts the timestamp of no message:
 * the message is posted outside of threads, or shown nowhere if the timestamp has lost its last digits
 * (slackapi/python-slack-sdk#840). It refuses an empty one (vercel/chat#268).
 */
export function readThread(
  args: CallArguments,
  core: WorkspaceCore,
  channel: string,
): Lookup<string | undefined> {
  const ts = args.text('thread_ts');
  if (ts === undefined)
    return args.all['thread_ts'] === '' ? invalidThread('') : { ok: true, value: undefined };
  if (!/^\d+\.\d+$/.test(ts)) return invalidThread(ts);
  const named = core.timeline.get(channel, ts);
  const isThread = named !== undefined || core.timeline.replies({ channel, ts }).length > 0;
  const isWhole = /^\d+\.\d{6}$/.test(ts);
  return { ok: true, value: isThread || !isWhole ? (named?.threadTs ?? ts) : undefined };
}

function invalidThread(ts: string): ApiError {
  const messages = [`[ERROR] ${ts} is not a valid thread_ts`];
  return errorReply('invalid_thread_ts', { response_metadata: { messages } });
}
