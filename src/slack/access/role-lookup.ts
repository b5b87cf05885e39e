/** The highest role that the configuration file gives a Slack user, by user id and by user group. */
import type { ConfigurationFile } from '../../config/configuration-file.ts';
import { checkRole, highestRole, type ResolvedRole, ROLES, type Role } from '../../lib/access.ts';
import { type Clock, type Instant, later, MINUTE, SECOND } from '../../lib/clock.ts';
import type { PersonId, UserGroupId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import type { Memberships } from '../../rules/quorum.ts';
import { slackErrorText } from '../web-api/slack-errors.ts';
import type { SlackWeb } from '../web-api/slack-web.ts';

/** A role removed in Slack can be used to read and request for at most this long; decisions read the group fresh. */
const MEMBERSHIP_TTL_MS = 5 * MINUTE;
/** While Slack does not answer, a membership is trusted this long; after that the role from the group is unknown. */
const MEMBERSHIP_FALLBACK_MS = 30 * MINUTE;
/** Pause after a failed read of a group, so that not every caller repeats it. */
const FAILED_READ_PAUSE_MS = 15 * SECOND;

/**
 * Slack's errors for a group that was deleted or disabled: it has no members, so it gives nobody a role
 * (docs.slack.dev/reference/methods/usergroups.users.list, errors).
 */
const GROUP_GONE_ERRORS: ReadonlySet<string> = new Set(['no_such_subteam', 'subteam_disabled']);

export type RoleLookupOptions = {
  /** Reads from Slack now, as decisions need; if Slack does not answer, the cached membership is used. */
  readonly fresh?: boolean;
  /** Takes no answer that is older, in milliseconds, even if Slack does not answer. */
  readonly within?: number;
  /** Stops once this role is certain: `role` is then this or a higher one, not always the highest. */
  readonly enough?: Role;
};

export type RoleLookup = {
  readonly roleOf: (person: PersonId, options?: RoleLookupOptions) => Promise<ResolvedRole>;
  /** `within`: as for a role; absent: what was read lately will do. */
  readonly membershipsOf: (
    person: PersonId,
    groups: readonly UserGroupId[],
    options?: Pick<RoleLookupOptions, 'within'>,
  ) => Promise<Memberships>;
};

export type CachedRoleLookup = {
  /** From the cache alone, for answers within an acknowledgement; a membership that is not cached is uncertain. */
  readonly knownRoleOf: (person: PersonId) => ResolvedRole;
};

type Membership = { readonly members: ReadonlySet<PersonId>; readonly readAt: Instant };
type RoleGroup = { readonly role: Role; readonly id: UserGroupId };

export type RoleLookupDependencies = {
  readonly configuration: Pick<ConfigurationFile, 'roles'>;
  readonly web: Pick<SlackWeb, 'userGroupMembers'>;
  readonly clock: Clock;
  readonly log: Log;
};

export function createRoleLookup(options: RoleLookupDependencies): RoleLookup & CachedRoleLookup {
  const { configuration, web, clock, log } = options;
  const { lately, membersOf, membersWithin } = createUserGroups({ web, clock, log });
  // Roles are looked up anew each time: the file may be another one by now.
  const groups = () =>
    ROLES.flatMap((role) => configuration.roles[role].userGroups.map((id): RoleGroup => ({ role, id })));
  const byId = (person: PersonId): Role | null =>
    highestRole(ROLES.filter((role) => configuration.roles[role].people.includes(person)));
  /** Groups that could not raise the role are not read, so an unreadable one does not matter. */
  const above = (role: Role | null): readonly RoleGroup[] =>
    groups().filter((group) => !checkRole(role, group.role).allowed);

  return {
    knownRoleOf(person) {
      const role = byId(person);
      return resolveRole(
        person,
        role,
        above(role).map((group) => [group, lately(group.id)]),
      );
    },
    async membershipsOf(person, named, { within = MEMBERSHIP_TTL_MS } = {}) {
      const read = named.map(async (id) => [id, await membersWithin(id, within)] as const);
      const answers = await Promise.all(read);
      return {
        in: answers.flatMap(([id, answer]) => (answer?.members.has(person) === true ? [id] : [])),
        out: answers.flatMap(([id, answer]) => (answer?.members.has(person) === false ? [id] : [])),
      };
    },
    async roleOf(person, { fresh = false, enough, within } = {}) {
      const role = byId(person);
      if (enough !== undefined && checkRole(role, enough).allowed) return { role, maybe: null };
      const membersFor = (id: UserGroupId) =>
        within === undefined ? membersOf(id, fresh) : membersWithin(id, within);
      const read = above(role).map(async (group) => [group, await membersFor(group.id)] as const);
      const answers = await Promise.all(read);
      const resolved = resolveRole(person, role, answers);
      const [asOf] = answers.flatMap(([, answer]) => answer?.readAt ?? []).toSorted((a, b) => a - b);
      return within === undefined || asOf === undefined ? resolved : { ...resolved, asOf };
    },
  };
}

/** `groups` with their members; null: not known. */
function resolveRole(
  person: PersonId,
  certain: Role | null,
  groups: readonly (readonly [RoleGroup, Membership | null])[],
): ResolvedRole {
  const rolesOfGroups = groups.flatMap(([{ role }, membership]) =>
    membership?.members.has(person) === true ? [role] : [],
  );
  const role = highestRole([...(certain === null ? [] : [certain]), ...rolesOfGroups]);
  const maybe = highestRole(
    groups.flatMap(([group, membership]) => (membership === null ? [group.role] : [])),
  );
  return { role, maybe: maybe === null || checkRole(role, maybe).allowed ? null : maybe };
}

/** Members of user groups, read on demand and cached for `MEMBERSHIP_TTL_MS`. */
function createUserGroups({ web, clock, log }: Omit<RoleLookupDependencies, 'configuration'>) {
  const memberships = new Map<UserGroupId, Membership>();
  const failures = new Map<UserGroupId, Instant>();
  const reading = new Map<UserGroupId, Promise<Membership | null>>();

  const read = async (group: UserGroupId): Promise<Membership | null> => {
    const answer = await web.userGroupMembers(group);
    if (answer.kind !== 'ok') {
      log.warn(
        { event: 'people.group-unread', group, reason: slackErrorText(answer) },
        'could not read a user group',
      );
      if (answer.kind !== 'refused' || !GROUP_GONE_ERRORS.has(answer.error)) {
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
    const pendingRead = reading.get(group) ?? read(group).finally(() => reading.delete(group));
    reading.set(group, pendingRead);
    return pendingRead;
  };
  const cachedMembers = (group: UserGroupId, ms: number): Membership | null => {
    const known = memberships.get(group);
    return known && clock.now() < later(known.readAt, ms) ? known : null;
  };
  const failedJustNow = (group: UserGroupId): boolean => {
    const at = failures.get(group);
    return at !== undefined && clock.now() < later(at, FAILED_READ_PAUSE_MS);
  };

  return {
    lately: (group: UserGroupId): Membership | null => cachedMembers(group, MEMBERSHIP_TTL_MS),
    membersWithin: async (group: UserGroupId, ms: number): Promise<Membership | null> =>
      cachedMembers(group, ms) ?? (failedJustNow(group) ? null : readOnce(group)),
    async membersOf(group: UserGroupId, fresh: boolean): Promise<Membership | null> {
      const freshMembers = fresh ? null : cachedMembers(group, MEMBERSHIP_TTL_MS);
      if (freshMembers) return freshMembers;
      // A read that began before this request may return the old membership.
      if (fresh) await reading.get(group);
      const now = !fresh && failedJustNow(group) ? null : await readOnce(group);
      return now ?? cachedMembers(group, fresh ? MEMBERSHIP_TTL_MS : MEMBERSHIP_FALLBACK_MS);
    },
  };
}
