/** Whether a person may do something, and if not, what they are told. */
import { mayDo, type Need } from '../access.ts';
import { newReference, type PersonId } from '../ids.ts';
import type { Problem } from '../views/model.ts';
import type { People } from './people.ts';

export type Rights = {
  /** Null where they may. May ask Slack who they are. */
  readonly refusal: (person: PersonId, need: Need) => Promise<Problem | null>;
};

export type RightsOptions = {
  readonly people: Pick<People, 'roleOf'>;
  /** Who can be asked for a role. */
  readonly admins: readonly PersonId[];
};

export function createRights({ people, admins }: RightsOptions): Rights {
  return {
    async refusal(person, need) {
      const answered = await people.roleOf(person);
      if (answered.kind === 'unknown') return { kind: 'rights-unknown', reference: newReference() };
      const access = mayDo(answered.role, need);
      if (access.allowed) return null;
      return { kind: 'not-allowed', need: access.needed, role: answered.role, ask: admins };
    },
  };
}
