/** Who a Slack person is to us: the highest role that the policy gives, by user id and by user group. */
import { highestRole, ROLES, type Role } from '../access.ts';
import { type Clock, type Instant, later, MINUTE } from '../clock.ts';
import type { PersonId, UserGroupId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Policy } from '../policy.ts';
import { faultText } from './faults.ts';
import type { SlackWeb } from './web.ts';

/** A role taken away in Slack lets its holder read and ask for at most this long; what decides is read fresh. */
const FRESH_MS = 5 * MINUTE;
/** While Slack does not answer, a membership is believed this long; then rights are unknown and nothing is allowed. */
const BELIEVED_MS = 30 * MINUTE;

export type RoleAnswer = { readonly kind: 'role'; readonly role: Role | null } | { readonly kind: 'unknown' };

export type RoleOptions = {
  /** Asks Slack now, as for a decision; if it does not answer, what was read in the last minutes is believed. */
  readonly fresh?: boolean;
};

export type People = {
  readonly roleOf: (person: PersonId, options?: RoleOptions) => Promise<RoleAnswer>;
};

export type KnownPeople = {
  /** From memory alone, for answers that Slack waits for: unknown where something was not read in the last minutes. */
  readonly knownRoleOf: (person: PersonId) => RoleAnswer;
};

type Membership = { readonly members: ReadonlySet<PersonId>; readonly readAt: Instant };

export function createPeople(options: {
  readonly policy: Policy;
  readonly web: Pick<SlackWeb, 'userGroupMembers'>;
  readonly clock: Clock;
  readonly log: Log;
}): People & KnownPeople {
  const { policy, web, clock, log } = options;
  const memberships = new Map<UserGroupId, Membership>();
  const reading = new Map<UserGroupId, Promise<Membership | null>>();

  const read = async (group: UserGroupId): Promise<Membership | null> => {
    const answer = await web.userGroupMembers(group);
    if (answer.kind !== 'ok') {
      log.warn({ event: 'people.group-unread', group, reason: faultText(answer) }, 'user group not read');
      return null;
    }
    const membership = { members: new Set(answer.value), readAt: clock.now() };
    memberships.set(group, membership);
    return membership;
  };
  const readOnce = (group: UserGroupId): Promise<Membership | null> => {
    const under = reading.get(group) ?? read(group).finally(() => reading.delete(group));
    reading.set(group, under);
    return under;
  };
  const believed = (group: UserGroupId, ms: number): ReadonlySet<PersonId> | null => {
    const known = memberships.get(group);
    return known && clock.now() < later(known.readAt, ms) ? known.members : null;
  };
  const membersOf = async (group: UserGroupId, fresh: boolean): Promise<ReadonlySet<PersonId> | null> => {
    const lately = fresh ? null : believed(group, FRESH_MS);
    if (lately) return lately;
    // A reading that began before this was asked may show the group as it was before.
    if (fresh) await reading.get(group);
    const read = await readOnce(group);
    return read?.members ?? believed(group, fresh ? FRESH_MS : BELIEVED_MS);
  };
  const named = (person: PersonId): Role[] =>
    ROLES.filter((role) => policy.roles[role].people.includes(person));

  return {
    knownRoleOf(person) {
      const found = named(person);
      for (const role of ROLES) {
        for (const group of policy.roles[role].userGroups) {
          const members = believed(group, FRESH_MS);
          if (members === null) return { kind: 'unknown' };
          if (members.has(person)) found.push(role);
        }
      }
      return { kind: 'role', role: highestRole(found) };
    },
    async roleOf(person, { fresh = false } = {}) {
      const found = named(person);
      for (const role of ROLES) {
        for (const group of policy.roles[role].userGroups) {
          const members = await membersOf(group, fresh);
          if (members === null) return { kind: 'unknown' };
          if (members.has(person)) found.push(role);
        }
      }
      return { kind: 'role', role: highestRole(found) };
    },
  };
}
