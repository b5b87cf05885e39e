/** Who a Slack person is to us: the highest role that the policy gives, by user id and by user group. */
import { atLeast, highestRole, ROLES, type Role, type Standing } from '../access.ts';
import { type Clock, type Instant, later, MINUTE, SECOND } from '../clock.ts';
import type { PersonId, UserGroupId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Policy } from '../policy.ts';
import { faultText } from './faults.ts';
import type { SlackWeb } from './web.ts';

/** A role taken away in Slack lets its holder read and ask for at most this long; what decides is read fresh. */
const FRESH_MS = 5 * MINUTE;
/** While Slack does not answer, a membership is believed this long; then what the group gives is unknown. */
const BELIEVED_MS = 30 * MINUTE;
/** A group that could not be read is not asked for again at once by everybody who comes. */
const FAILED_MS = 15 * SECOND;

/**
 * Slack's words for a group that was deleted or disabled: it has no members, so it gives nobody a role
 * (docs.slack.dev/reference/methods/usergroups.users.list, errors).
 */
const GONE: ReadonlySet<string> = new Set(['no_such_subteam', 'subteam_disabled']);

export type RoleOptions = {
  /** Asks Slack now, as for a decision; if it does not answer, what was read in the last minutes is believed. */
  readonly fresh?: boolean;
  /** Where this role is certain no more is asked: `role` is then this or a higher one, not always the highest. */
  readonly enough?: Role;
};

export type People = {
  readonly roleOf: (person: PersonId, options?: RoleOptions) => Promise<Standing>;
};

export type KnownPeople = {
  /** From memory alone, for answers that Slack waits for: what was not read in the last minutes is uncertain. */
  readonly knownRoleOf: (person: PersonId) => Standing;
};

type Members = ReadonlySet<PersonId>;
type Membership = { readonly members: Members; readonly readAt: Instant };
type Group = { readonly role: Role; readonly id: UserGroupId };

export type PeopleOptions = {
  readonly policy: Pick<Policy, 'roles'>;
  readonly web: Pick<SlackWeb, 'userGroupMembers'>;
  readonly clock: Clock;
  readonly log: Log;
};

export function createPeople({ policy, web, clock, log }: PeopleOptions): People & KnownPeople {
  const { lately, membersOf } = createGroups({ web, clock, log });
  const groups = ROLES.flatMap((role) => policy.roles[role].userGroups.map((id): Group => ({ role, id })));
  const byId = (person: PersonId): Role | null =>
    highestRole(ROLES.filter((role) => policy.roles[role].people.includes(person)));
  /** A group that could give no more than what is certain is not asked for, so it can be in nobody's way. */
  const above = (role: Role | null): readonly Group[] =>
    groups.filter((group) => !atLeast(role, group.role).allowed);

  return {
    knownRoleOf(person) {
      const role = byId(person);
      return standing(
        person,
        role,
        above(role).map((group) => [group, lately(group.id)]),
      );
    },
    async roleOf(person, { fresh = false, enough } = {}) {
      const role = byId(person);
      if (enough !== undefined && atLeast(role, enough).allowed) return { role, maybe: null };
      const read = above(role).map(async (group) => [group, await membersOf(group.id, fresh)] as const);
      return standing(person, role, await Promise.all(read));
    },
  };
}

/** `groups` with their members; null: not known. */
function standing(
  person: PersonId,
  certain: Role | null,
  groups: readonly (readonly [Group, Members | null])[],
): Standing {
  const given = groups.flatMap(([{ role }, members]) => (members?.has(person) === true ? [role] : []));
  const role = highestRole([...(certain === null ? [] : [certain]), ...given]);
  const maybe = highestRole(groups.flatMap(([group, members]) => (members === null ? [group.role] : [])));
  return { role, maybe: maybe === null || atLeast(role, maybe).allowed ? null : maybe };
}

/** The members of user groups, read when they are asked for and believed for a while. */
function createGroups({ web, clock, log }: Omit<PeopleOptions, 'policy'>) {
  const memberships = new Map<UserGroupId, Membership>();
  const failures = new Map<UserGroupId, Instant>();
  const reading = new Map<UserGroupId, Promise<Membership | null>>();

  const read = async (group: UserGroupId): Promise<Membership | null> => {
    const answer = await web.userGroupMembers(group);
    if (answer.kind !== 'ok') {
      log.warn(
        { event: 'people.group-unread', group, reason: faultText(answer) },
        'could not read a user group',
      );
      if (answer.kind !== 'refused' || !GONE.has(answer.error)) {
        failures.set(group, clock.now());
        return null;
      }
    }
    const members = new Set(answer.kind === 'ok' ? answer.value : []);
    const membership = { members, readAt: clock.now() };
    memberships.set(group, membership);
    failures.delete(group);
    return membership;
  };
  const readOnce = (group: UserGroupId): Promise<Membership | null> => {
    const under = reading.get(group) ?? read(group).finally(() => reading.delete(group));
    reading.set(group, under);
    return under;
  };
  const believed = (group: UserGroupId, ms: number): Members | null => {
    const known = memberships.get(group);
    return known && clock.now() < later(known.readAt, ms) ? known.members : null;
  };
  const failedJustNow = (group: UserGroupId): boolean => {
    const at = failures.get(group);
    return at !== undefined && clock.now() < later(at, FAILED_MS);
  };

  return {
    lately: (group: UserGroupId): Members | null => believed(group, FRESH_MS),
    async membersOf(group: UserGroupId, fresh: boolean): Promise<Members | null> {
      const lately = fresh ? null : believed(group, FRESH_MS);
      if (lately) return lately;
      // A reading that began before this was asked may show the group as it was before.
      if (fresh) await reading.get(group);
      const now = !fresh && failedJustNow(group) ? null : await readOnce(group);
      return now?.members ?? believed(group, fresh ? FRESH_MS : BELIEVED_MS);
    },
  };
}
