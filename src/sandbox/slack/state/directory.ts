/** People, channels and memberships. */
import type { Clock } from '../../../lib/clock.ts';
import type { InstalledApp } from '../core/installed-app.ts';

type WorkspaceRole = 'operator' | 'approver' | 'viewer' | 'admin' | 'outsider';

/** In seconds: when everything here was made and last changed, for times that the workspace does not keep. */
export const SEEDED_AT = 1_600_000_000;

const SEEDED_PEOPLE: readonly {
  readonly id: string;
  readonly name: string;
  readonly realName: string;
  readonly role: WorkspaceRole;
}[] = [
  { id: 'U0OPERATOR1', name: 'operator', realName: 'Olive Operator', role: 'operator' },
  { id: 'U0OPERATOR2', name: 'operator2', realName: 'Otto Operator', role: 'operator' },
  { id: 'U0APPROVER1', name: 'approver', realName: 'Ada Approver', role: 'approver' },
  { id: 'U0APPROVER2', name: 'approver2', realName: 'Arno Approver', role: 'approver' },
  { id: 'U0APPROVER3', name: 'approver3', realName: 'Anja Approver', role: 'approver' },
  { id: 'U0VIEWER001', name: 'viewer', realName: 'Vera Viewer', role: 'viewer' },
  { id: 'U0ADMIN0001', name: 'admin', realName: 'Amir Admin', role: 'admin' },
  { id: 'U0OUTSIDER1', name: 'outsider', realName: 'Ole Outsider', role: 'outsider' },
];

const everyone = SEEDED_PEOPLE.map(({ id }) => id);
const insiders = SEEDED_PEOPLE.filter(({ role }) => role !== 'outsider').map(({ id }) => id);
const deciders = SEEDED_PEOPLE.filter(({ role }) => ['operator', 'approver', 'admin'].includes(role)).map(
  ({ id }) => id,
);

/** Members of the private channel: one operator, but not the other. */
const secretive = ['U0OPERATOR2', 'U0ADMIN0001'];

const SEEDED_CHANNELS: readonly {
  readonly id: string;
  readonly name: string;
  readonly members: readonly string[];
  readonly withBot: boolean;
  readonly archived?: true;
  readonly isPrivate?: true;
}[] = [
  { id: 'C0OPS000001', name: 'ops', members: insiders, withBot: true },
  { id: 'C0APPROVALS', name: 'approvals', members: deciders, withBot: true },
  { id: 'C0PATCHALRT', name: 'patch-alerts', members: insiders, withBot: true },
  { id: 'C0NEWDEVICE', name: 'new-devices', members: insiders, withBot: true },
  { id: 'C0RANDOM001', name: 'random', members: everyone, withBot: false },
  { id: 'C0SECRET001', name: 'secret-team', members: secretive, withBot: true, isPrivate: true },
  { id: 'C0OLDALERTS', name: 'old-alerts', members: insiders, withBot: true, archived: true },
];

const SEEDED_USER_GROUPS: readonly {
  readonly id: string;
  readonly handle: string;
  readonly name: string;
  readonly users: readonly string[];
}[] = [
  {
    id: 'S0APPROVERS',
    handle: 'fleet-approvers',
    name: 'Fleet approvers',
    users: ['U0APPROVER1', 'U0APPROVER2'],
  },
  {
    id: 'S0OPERATORS',
    handle: 'fleet-operators',
    name: 'Fleet operators',
    users: ['U0OPERATOR1', 'U0OPERATOR2'],
  },
  // With one of the approvers above, and without the other: a rule that names this group can then be seen to refuse.
  {
    id: 'S0PRODUCTION',
    handle: 'production-approvers',
    name: 'Production approvers',
    users: ['U0APPROVER1', 'U0APPROVER3', 'U0ADMIN0001'],
  },
];

export type Person = {
  readonly id: string;
  readonly name: string;
  readonly realName: string;
  readonly role: WorkspaceRole | 'bot';
};
export type ChannelKind = 'public' | 'private' | 'im';
export type Channel = {
  readonly id: string;
  readonly name: string;
  readonly kind: ChannelKind;
  readonly archived: boolean;
  /** Seconds since 1970. */
  readonly created: number;
  readonly creator: string | undefined;
  readonly members: ReadonlySet<string>;
};
export type UserGroup = (typeof SEEDED_USER_GROUPS)[number];

export type Directory = Readonly<ReturnType<typeof createDirectory>>;

export function createDirectory(app: InstalledApp, clock: Pick<Clock, 'now'>) {
  const bot: Person = { id: app.botUser, name: app.botName, realName: app.botName, role: 'bot' };
  const users: readonly Person[] = [...SEEDED_PEOPLE, bot];
  const channels = new Map<string, Channel>();
  const add = (channel: Channel): Channel => {
    channels.set(channel.id, channel);
    return channel;
  };
  const direct = (person: Person): Channel => {
    const id = `D${person.id.slice(1)}`;
    const known = channels.get(id);
    if (known) return known;
    return add({
      id,
      name: person.name,
      kind: 'im',
      archived: false,
      created: Math.floor(clock.now() / 1_000),
      creator: bot.id,
      members: new Set([person.id, bot.id]),
    });
  };
  /** A person by name, `@name` or id. */
  const person = (nameOrId: string) =>
    SEEDED_PEOPLE.find(({ id, name }) => id === nameOrId || name === nameOrId.replace(/^@/, ''));
  const reset = () => {
    channels.clear();
    for (const seeded of SEEDED_CHANNELS) add(seededChannel(seeded, bot));
  };
  reset();

  return {
    /** People, without the bot. */
    people: () => SEEDED_PEOPLE,
    /** A person or the bot. */
    user: (id: string) => users.find((user) => user.id === id),
    person,
    /** Active channels: no archived ones, no direct messages. */
    channels: () => [...channels.values()].filter((each) => each.kind !== 'im' && !each.archived),
    /** All channels, including archived ones, then the direct messages that were opened. */
    conversations: () => [...channels.values()],
    channel: (id: string) => channels.get(id),
    /** A channel by name, `#name` or id; `@name` is that person's direct message with the bot. */
    conversationFor(nameOrId: string) {
      if (nameOrId.startsWith('@')) {
        const whose = person(nameOrId);
        return whose && direct(whose);
      }
      const name = nameOrId.replace(/^#/, '');
      const named = [...channels.values()].find((each) => each.kind !== 'im' && each.name === name);
      return channels.get(nameOrId) ?? named;
    },
    direct,
    userGroups: () => SEEDED_USER_GROUPS,
    join(id: string, user: string) {
      const channel = channels.get(id);
      if (channel) add({ ...channel, members: new Set([...channel.members, user]) });
    },
    reset,
  };
}

function seededChannel(
  { id, name, members, withBot, archived, isPrivate }: (typeof SEEDED_CHANNELS)[number],
  bot: Person,
): Channel {
  const kind = isPrivate === true ? 'private' : 'public';
  const joined = new Set(withBot ? [...members, bot.id] : members);
  const made = { created: SEEDED_AT, creator: SEEDED_PEOPLE[0]?.id };
  return { id, name, kind, archived: archived ?? false, ...made, members: joined };
}

export function canRead(channel: Channel, user: string): boolean {
  return channel.kind === 'public' || channel.members.has(user);
}
