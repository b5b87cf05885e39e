/**
 * Who may see what is personal (who is logged in, serial numbers, addresses), and what everybody else is answered from:
 * the one place that decides it for people. For channels the configuration file decides it.
 */

import type { ReadPorts, SharedPorts } from '../../commands/core/command.ts';
import { planPortsWithoutPersonal, portsWithoutPersonal } from '../../commands/core/personal-data.ts';
import { checkPersonalAccess, type ResolvedRole, type Role } from '../../lib/access.ts';
import type { PersonId } from '../../lib/ids.ts';
import type { View } from '../../views/model.ts';
import { withoutPersonalFields } from '../../views/sharing/shared-answer.ts';
import type { CachedRoleLookup, RoleLookup } from './role-lookup.ts';

type PersonalPorts = SharedPorts & Pick<ReadPorts, 'personalFrom'>;

export type PersonalDataAccess = {
  /** What this person's questions are answered from. May ask Slack who they are. */
  readonly reading: (person: PersonId) => Promise<PersonalPorts>;
  /** What their changes are planned with. */
  readonly planning: (person: PersonId) => Promise<PersonalPorts>;
};

export type PersonalOptions = {
  readonly people: Pick<RoleLookup, 'roleOf'>;
  readonly ports: SharedPorts;
  /** From this role on; absent: whoever may look. */
  readonly personalFrom?: Role;
};

export function createPersonalDataAccess({
  people,
  ports,
  personalFrom = 'viewer',
}: PersonalOptions): PersonalDataAccess {
  const hidden = {
    reading: portsWithoutPersonal(ports, personalFrom),
    planning: planPortsWithoutPersonal(ports, personalFrom),
  };
  const maySee = async (person: PersonId) =>
    roleSeesPersonal(await people.roleOf(person, { enough: personalFrom }), personalFrom);
  return {
    reading: async (person) => ((await maySee(person)) ? ports : hidden.reading),
    planning: async (person) => ((await maySee(person)) ? ports : hidden.planning),
  };
}

/** The answer to a question that was answered from these ports. */
export function visibleTo({ personalFrom }: Pick<ReadPorts, 'personalFrom'>, view: View): View {
  return personalFrom === undefined ? view : withoutPersonalFields(view);
}

/** From memory alone: false where it is not known who somebody is. */
export function maySeePersonalCached(
  people: CachedRoleLookup,
  person: PersonId,
  personalFrom: Role = 'viewer',
): boolean {
  return roleSeesPersonal(people.knownRoleOf(person), personalFrom);
}

/** By the role that is certain. */
export function roleSeesPersonal({ role }: ResolvedRole, personalFrom: Role): boolean {
  return checkPersonalAccess(role, personalFrom).allowed;
}
