/**
 * Decides who may see personal data (logged-in user, serial numbers, addresses), and gives everybody else ports without
 * it. For channels the configuration file decides.
 */

import type { ReadPorts, SharedPorts } from '../../commands/core/command.ts';
import { planPortsWithoutPersonal, portsWithoutPersonal } from '../../commands/core/reader-rights.ts';
import { checkRole, type ResolvedRole, type Role } from '../../lib/access.ts';
import type { PersonId } from '../../lib/ids.ts';
import type { View } from '../../views/model.ts';
import { withoutPersonalFields } from '../../views/views.ts';
import type { CachedRoleLookup, RoleLookup } from './role-lookup.ts';

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
    /** The ports that plan this person's changes. */
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
