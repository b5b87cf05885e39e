/** Finds the channel of a call and checks what the bot may do there. */

import type { WorkspaceCore } from '../../core/core.ts';
import type { Channel, ChannelKind } from '../../state/directory.ts';
import type { CallArguments } from './arguments.ts';
import type { Lookup } from './method.ts';
import { type ApiError, errorReply, missingArgumentReply } from './replies.ts';

const PREFIX: Readonly<Record<ChannelKind, string>> = {
  public: 'channels',
  private: 'groups',
  im: 'im',
  mpim: 'mpim',
};

/** The scopes that give access to conversations of any type. */
export function scopesFor(right: 'read' | 'history'): readonly string[] {
  return Object.values(PREFIX).map((prefix) => `${prefix}:${right}`);
}

/** The scope that gives access to conversations of this type. */
export function scopeOf(kind: ChannelKind, right: 'read' | 'history'): string {
  return `${PREFIX[kind]}:${right}`;
}

/** The refusal for a missing scope, or null. */
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

/** The destination of a message: a channel by id or name, or a person, who gets a direct message. */
export function channelOrPerson(word: string, { directory }: WorkspaceCore): Channel | undefined {
  const person = directory.people().find(({ id }) => id === word);
  return person ? directory.direct(person) : directory.conversationFor(word);
}

/** The channel in `channel`, if the bot may post there: as a member, or with `chat:write.public`. */
export function findAddressee(args: CallArguments, core: WorkspaceCore): Lookup<Channel> {
  if (args.all['channel'] === '') return errorReply('channel_not_found');
  const word = args.text('channel');
  if (word === undefined) return missingArgumentReply('channel');
  const channel = channelOrPerson(word, core);
  if (!channel || !isKnown(channel, core)) return errorReply('channel_not_found');
  return refusesPosts(channel, core) ?? { ok: true, value: channel };
}

/** Why the bot cannot post in the channel, or null. */
function refusesPosts(channel: Channel, { app, manifest }: WorkspaceCore): ApiError | null {
  if (channel.kind === 'im' && !manifest.messagesTab) return errorReply('messages_tab_disabled');
  if (channel.archived) return errorReply('is_archived');
  if (channel.members.has(app.botUser)) return null;
  return channel.kind === 'public' && manifest.scopes.has('chat:write.public')
    ? null
    : errorReply('not_in_channel');
}

function isKnown({ kind, members }: Channel, { app }: WorkspaceCore): boolean {
  return kind === 'public' || members.has(app.botUser);
}
