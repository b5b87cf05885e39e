/** Whether a person may do something, and if not, what they are told. */
import { decideAccess, type Permission, roleForPermission } from '../../lib/access.ts';
import { newReference, type PersonId } from '../../lib/ids.ts';
import type { Problem } from '../../views/model.ts';
import type { RoleLookup } from './role-lookup.ts';

export type Permissions = {
  /** Null where they may. May ask Slack who they are. */
  readonly refusal: (person: PersonId, need: Permission) => Promise<Problem | null>;
};

export type PermissionsOptions = {
  readonly people: Pick<RoleLookup, 'roleOf'>;
  /** Who can be asked for a role. */
  readonly admins: readonly PersonId[];
};

export function createPermissions({ people, admins }: PermissionsOptions): Permissions {
  return {
    async refusal(person, need) {
      const needed = roleForPermission(need);
      const standing = await people.roleOf(person, { enough: needed });
      switch (decideAccess(standing, need)) {
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
