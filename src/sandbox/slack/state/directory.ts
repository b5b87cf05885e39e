/** People, channels and who is in which. */
import type { App } from '../app.ts';
import { CHANNELS, PEOPLE, type Role, USER_GROUPS } from './seed.ts';

export type Person = {
  readonly id: string;
  readonly name: string;
  readonly realName: string;
  readonly role: Role | 'bot';
};
export type ChannelKind = 'public' | 'private' | 'im';
export type Channel = {
  readonly id: string;
  readonly name: string;
  readonly kind: ChannelKind;
  readonly members: ReadonlySet<string>;
};
export type UserGroup = (typeof USER_GROUPS)[number];

export type Directory = {
  /** People, without the bot. */
  readonly people: () => readonly Person[];
  /** Everybody who can write: people and the bot. */
  readonly users: () => readonly Person[];
  readonly user: (id: string) => Person | undefined;
  /** A person by name, `@name` or id. */
  readonly person: (nameOrId: string) => Person | undefined;
  /** Channels, without direct messages. */
  readonly channels: () => readonly Channel[];
  /** Direct messages with the bot that have been opened. */
  readonly directs: () => readonly Channel[];
  readonly channel: (id: string) => Channel | undefined;
  /** A channel by name, `#name` or id; `@name` is that person's direct message with the bot. */
  readonly place: (nameOrId: string) => Channel | undefined;
  /** The person's direct message with the bot. */
  readonly direct: (person: Person) => Channel;
  readonly userGroups: () => readonly UserGroup[];
  readonly join: (channel: string, user: string) => void;
  readonly reset: () => void;
};

export function createDirectory(app: App): Directory {
  const bot: Person = { id: app.botUser, name: app.botName, realName: app.botName, role: 'bot' };
  const users: readonly Person[] = [...PEOPLE, bot];
  const channels = new Map<string, Channel>();
  const byId = (id: string) => users.find((user) => user.id === id);

  const direct = (person: Person): Channel => {
    const id = `D${person.id.slice(1)}`;
    const known = channels.get(id);
    if (known) return known;
    const opened: Channel = { id, name: person.name, kind: 'im', members: new Set([person.id, bot.id]) };
    channels.set(id, opened);
    return opened;
  };
  const person = (nameOrId: string) =>
    PEOPLE.find(({ id, name }) => id === nameOrId || name === nameOrId.replace(/^@/, ''));
  const reset = () => {
    channels.clear();
    for (const { id, name, members, withBot } of CHANNELS)
      channels.set(id, {
        id,
        name,
        kind: 'public',
        members: new Set(withBot ? [...members, bot.id] : members),
      });
  };
  reset();

  return {
    people: () => PEOPLE,
    users: () => users,
    user: byId,
    person,
    channels: () => [...channels.values()].filter(({ kind }) => kind !== 'im'),
    directs: () => [...channels.values()].filter(({ kind }) => kind === 'im'),
    channel: (id) => channels.get(id),
    place(nameOrId) {
      if (nameOrId.startsWith('@')) {
        const whose = person(nameOrId);
        return whose && direct(whose);
      }
      const name = nameOrId.replace(/^#/, '');
      const named = [...channels.values()].find((channel) => channel.kind !== 'im' && channel.name === name);
      return channels.get(nameOrId) ?? named;
    },
    direct,
    userGroups: () => USER_GROUPS,
    join(id, user) {
      const channel = channels.get(id);
      if (channel) channels.set(id, { ...channel, members: new Set([...channel.members, user]) });
    },
    reset,
  };
}

/** Whether `user` may see what is said in `channel`. */
export function canRead(channel: Channel, user: string): boolean {
  return channel.kind === 'public' || channel.members.has(user);
}
