/** Whether a person may do something or see personal data, and the message if not. */
import type { ReadPorts, SharedPorts } from '../../commands/core/command.ts';
import { planPortsWithoutPersonal, portsWithoutPersonal } from '../../commands/core/reader-rights.ts';
import {
  checkRole,
  decideAccess,
  type Permission,
  type ResolvedRole,
  type Role,
  roleForPermission,
} from '../../lib/access.ts';
import type { Clock } from '../../lib/clock.ts';
import { newReference, type PersonId, type UserGroupId } from '../../lib/ids.ts';
import { PROOF_AGE_MS, type ReadRight } from '../../requests/decide/prove-rights.ts';
import type { RequestRecord } from '../../store/port/request-records.ts';
import { type Problem, type View, withoutPersonalFields } from '../../views/views.ts';
import type { SlackWeb } from '../web-api/slack-web.ts';
import type { CachedRoleLookup, RoleLookup } from './role-lookup.ts';

export type Permissions = Readonly<ReturnType<typeof createPermissions>>;

/** The same refusal with the name of the command that was refused. Other problems stay as they are. */
export function ofCommand(refused: Problem, command: string): Problem {
  return refused.kind === 'not-allowed' ? { ...refused, command } : refused;
}

type ReadRightOptions = {
  readonly people: Pick<RoleLookup, 'roleOf'>;
  readonly web: Pick<SlackWeb, 'isActive'>;
  readonly clock: Pick<Clock, 'now'>;
};

/** A person's right by what Slack said lately. A role that the configuration gives by id ends with the account. */
export function createReadRight({ people, web, clock }: ReadRightOptions): ReadRight {
  return async (person, right) => {
    const [now, enough] = [clock.now(), roleForPermission(right)];
    const role = people.roleOf(person, { within: PROOF_AGE_MS, enough });
    const active = await web.isActive(person);
    const resolved = await role;
    const verdict = decideAccess(resolved, right);
    const asOf = resolved.asOf ?? now;
    if (active.kind !== 'ok') return { verdict: verdict === 'allowed' ? 'unknown' : verdict, asOf };
    return { verdict: active.value ? verdict : 'refused', asOf };
  };
}

export type PermissionsOptions = {
  readonly people: Pick<RoleLookup, 'roleOf'>;
  readonly admins: () => readonly PersonId[];
};

export function createPermissions({ people, admins }: PermissionsOptions) {
  return {
    /** Null when allowed. May ask Slack for the person's groups. */
    async refusal(person: PersonId, need: Permission): Promise<Problem | null> {
      const needed = roleForPermission(need);
      const resolvedRole = await people.roleOf(person, { enough: needed });
      switch (decideAccess(resolvedRole, need)) {
        case 'allowed':
          return null;
        case 'refused':
          return { kind: 'not-allowed', need: needed, role: resolvedRole.role, ask: admins() };
        case 'unknown':
          return { kind: 'rights-unknown', reference: newReference() };
      }
    },
  };
}

/** Who may see personal data (logged-in user, serial numbers, addresses); everybody else gets ports without it. */
type PersonalPorts = SharedPorts & Pick<ReadPorts, 'personalFrom'>;

export type PersonalDataAccess = Readonly<ReturnType<typeof createPersonalDataAccess>>;

export type PersonalOptions = {
  readonly people: Pick<RoleLookup, 'roleOf'>;
  readonly ports: SharedPorts;
  /** The lowest role that sees personal data; absent: everybody who may read. */
  readonly personalFrom?: Role;
};

export function createPersonalDataAccess({ people, ports, personalFrom = 'viewer' }: PersonalOptions) {
  const hidden = {
    reading: portsWithoutPersonal(ports, personalFrom),
    planning: planPortsWithoutPersonal(ports, personalFrom),
  };
  const maySee = async (person: PersonId) =>
    roleSeesPersonal(await people.roleOf(person, { enough: personalFrom }), personalFrom);
  return {
    /** The ports that answer this person's questions. May ask Slack for the person's groups. */
    reading: async (person: PersonId): Promise<PersonalPorts> =>
      (await maySee(person)) ? ports : hidden.reading,
    planning: async (person: PersonId): Promise<PersonalPorts> =>
      (await maySee(person)) ? ports : hidden.planning,
  };
}

/** Marks an answer from these ports with what its reader may see. */
export function visibleTo({ personalFrom }: Pick<ReadPorts, 'personalFrom'>, view: View): View {
  return personalFrom === undefined ? view : withoutPersonalFields(view);
}

/** From the cache alone: false while the person's role is not known. */
export function maySeePersonalCached(
  people: CachedRoleLookup,
  person: PersonId,
  personalFrom: Role = 'viewer',
): boolean {
  return roleSeesPersonal(people.knownRoleOf(person), personalFrom);
}

/** By the role that is certain, never by one that is only possible. */
export function roleSeesPersonal({ role }: ResolvedRole, personalFrom: Role): boolean {
  return checkRole(role, personalFrom).allowed;
}

/** The user groups that decide about these requests and that somebody is in, or may be in where Slack doesn't say. */
export async function decidingGroups(
  people: Pick<RoleLookup, 'membershipsOf'>,
  person: PersonId,
  requests: readonly Pick<RequestRecord, 'rules'>[],
): Promise<readonly UserGroupId[]> {
  const quorums = requests.flatMap(({ rules }) => rules.demands.flatMap((demand) => demand.quorums));
  const named = [...new Set(quorums.flatMap(({ from }) => from?.userGroups ?? []))];
  const { out } = await people.membershipsOf(person, named);
  return named.filter((id) => !out.includes(id));
}
