/** Whether a person may do something, and if not, what they are told. */
import { judge, type Need, roleFor } from '../access.ts';
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
      const needed = roleFor(need);
      const standing = await people.roleOf(person, { enough: needed });
      switch (judge(standing, need)) {
        case 'allowed':
          return null;
        case 'refused':
          return { kind: 'not-allowed', need: needed, role: standing.role, ask: admins };
        case 'unknown':
          return { kind: 'rights-unknown', reference: newReference() };
      }
    },
  };
}
