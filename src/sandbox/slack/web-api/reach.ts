/** Finding the channel that a call names, and whether the bot may do there what it wants. */
import type { Arguments } from '../arguments.ts';
import type { Core } from '../core.ts';
import { missingArgument, type Refusal, refuse } from '../reply.ts';
import type { Channel, ChannelKind } from '../state/directory.ts';
import type { Sought } from './method.ts';

const PREFIX: Readonly<Record<ChannelKind, string>> = { public: 'channels', private: 'groups', im: 'im' };

/** The scopes with which conversations of any kind can be reached. */
export function scopesFor(right: 'read' | 'history'): readonly string[] {
  return [...Object.values(PREFIX), 'mpim'].map((prefix) => `${prefix}:${right}`);
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
  return lacksScope(core, `${PREFIX[sought.value.kind]}:${right}`) ?? sought;
}

/**
 * Where a message goes: a channel by id or name, or a person, who gets it as a direct message. The bot has
 * to be in it; `chat:write.public` is not offered by this workspace.
 */
export function seekAddressee(args: Arguments, core: Core): Sought<Channel> {
  const word = args.text('channel');
  if (word === undefined) return missingArgument('channel');
  const { directory, app, manifest } = core;
  const person = directory.people().find(({ id }) => id === word);
  const channel = person ? directory.direct(person) : directory.place(word);
  if (!channel || !isKnown(channel, core)) return refuse('channel_not_found');
  if (channel.kind === 'im' && !manifest.messagesTab) return refuse('messages_tab_disabled');
  return channel.members.has(app.botUser) ? { ok: true, value: channel } : refuse('not_in_channel');
}

function isKnown({ kind, members }: Channel, { app }: Core): boolean {
  return kind === 'public' || members.has(app.botUser);
}
