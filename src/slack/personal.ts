/**
 * Who may see what is personal (who is logged in, serial numbers, addresses), and what everybody else is answered from:
 * the one place that decides it for people. For channels the configuration file decides it.
 */
import { maySeePersonal, type Role, type Standing } from '../access.ts';
import type { ReadPorts, SharedPorts } from '../commands/command.ts';
import { planningWithoutPersonal, portsWithoutPersonal } from '../commands/personal.ts';
import type { PersonId } from '../ids.ts';
import type { View } from '../views/model.ts';
import { withoutPersonal } from '../views/personal.ts';
import type { KnownPeople, People } from './people.ts';

type Ports = SharedPorts & Pick<ReadPorts, 'personalFrom'>;

export type Personal = {
  /** What this person's questions are answered from. May ask Slack who they are. */
  readonly reading: (person: PersonId) => Promise<Ports>;
  /** What their changes are planned with. */
  readonly planning: (person: PersonId) => Promise<Ports>;
};

export type PersonalOptions = {
  readonly people: Pick<People, 'roleOf'>;
  readonly ports: SharedPorts;
  /** From this role on; absent: whoever may look. */
  readonly personalFrom?: Role;
};

export function createPersonal({ people, ports, personalFrom = 'viewer' }: PersonalOptions): Personal {
  const hidden = {
    reading: portsWithoutPersonal(ports, personalFrom),
    planning: planningWithoutPersonal(ports, personalFrom),
  };
  const maySee = async (person: PersonId) =>
    seesPersonal(await people.roleOf(person, { enough: personalFrom }), personalFrom);
  return {
    reading: async (person) => ((await maySee(person)) ? ports : hidden.reading),
    planning: async (person) => ((await maySee(person)) ? ports : hidden.planning),
  };
}

/** The answer to a question that was answered from these ports. */
export function shownFrom({ personalFrom }: Pick<ReadPorts, 'personalFrom'>, view: View): View {
  return personalFrom === undefined ? view : withoutPersonal(view);
}

/** From memory alone: false where it is not known who somebody is. */
export function maySeeNow(people: KnownPeople, person: PersonId, personalFrom: Role = 'viewer'): boolean {
  return seesPersonal(people.knownRoleOf(person), personalFrom);
}

/** By the role that is certain. */
export function seesPersonal({ role }: Standing, personalFrom: Role): boolean {
  return maySeePersonal(role, personalFrom).allowed;
}
