/** Finding the channel that a call names, and whether the bot may do there what it wants. */
import type { Arguments } from '../arguments.ts';
import type { Core } from '../core.ts';
import { missingArgument, type Refusal, refuse } from '../reply.ts';
import type { Channel, ChannelKind } from '../state/directory.ts';
import type { Sought } from './method.ts';

const PREFIX: Readonly<Record<ChannelKind, string>> = {
  public: 'channels',
  private: 'groups',
  im: 'im',
  mpim: 'mpim',
};

/** The scopes with which conversations of any kind can be reached. */
export function scopesFor(right: 'read' | 'history'): readonly string[] {
  return Object.values(PREFIX).map((prefix) => `${prefix}:${right}`);
}

/** The scope with which conversations of this kind can be reached. */
export function scopeOf(kind: ChannelKind, right: 'read' | 'history'): string {
  return `${PREFIX[kind]}:${right}`;
}

/** The refusal for a missing scope, or null. */
export function lacksScope({ manifest }: Core, scope: string): Refusal | null {
  if (manifest.scopes.has(scope)) return null;
  return refuse('missing_scope', { needed: scope, provided: [...manifest.scopes].join(',') });
}

/** The channel with the id in `channel`, if the bot may know of it. */
export function seekChannel(args: Arguments, core: Core): Sought<Channel> {
  const id = args.text('channel');
  if (id === undefined) return missingArgument('channel');
  const channel = core.directory.channel(id);
  return channel && isKnown(channel, core) ? { ok: true, value: channel } : refuse('channel_not_found');
}

/** The same, with the scope that this kind of channel takes. */
export function seekWithScope(args: Arguments, core: Core, right: 'read' | 'history'): Sought<Channel> {
  const sought = seekChannel(args, core);
  if (!sought.ok) return sought;
  return lacksScope(core, scopeOf(sought.value.kind, right)) ?? sought;
}

/** Where a message to this word goes: a channel by id or name, or a person, who gets it as a direct message. */
export function addressee(word: string, { directory }: Core): Channel | undefined {
  const person = directory.people().find(({ id }) => id === word);
  return person ? directory.direct(person) : directory.place(word);
}

/** The channel in `channel`, if the bot may write there: as a member, or with `chat:write.public`. */
export function seekAddressee(args: Arguments, core: Core): Sought<Channel> {
  const word = args.text('channel');
  if (word === undefined) return missingArgument('channel');
  const channel = addressee(word, core);
  if (!channel || !isKnown(channel, core)) return refuse('channel_not_found');
  return refusesPosts(channel, core) ?? { ok: true, value: channel };
}

/** Why the bot cannot write in the channel, or null. */
function refusesPosts(channel: Channel, { app, manifest }: Core): Refusal | null {
  if (channel.kind === 'im' && !manifest.messagesTab) return refuse('messages_tab_disabled');
  if (channel.archived) return refuse('is_archived');
  if (channel.members.has(app.botUser)) return null;
  return channel.kind === 'public' && manifest.scopes.has('chat:write.public')
    ? null
    : refuse('not_in_channel');
}

function isKnown({ kind, members }: Channel, { app }: Core): boolean {
  return kind === 'public' || members.has(app.botUser);
}
