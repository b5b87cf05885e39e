/** Whether a person may do something, and the message if not. */
import { decideAccess, type Permission, roleForPermission } from '../../lib/access.ts';
import { newReference, type PersonId } from '../../lib/ids.ts';
import { PROOF_AGE_MS, type ReadRight } from '../../requests/decide/prove-rights.ts';
import type { Problem } from '../../views/model.ts';
import type { RoleLookup } from './role-lookup.ts';

export type Permissions = {
  /** Null when allowed. May ask Slack for the person's groups. */
  readonly refusal: (person: PersonId, need: Permission) => Promise<Problem | null>;
};

/** The same refusal with the name of the command that was refused. Other problems stay as they are. */
export function ofCommand(refused: Problem, command: string): Problem {
  return refused.kind === 'not-allowed' ? { ...refused, command } : refused;
}

/** A person's right by what Slack said lately, where it takes an answer of Slack. */
export function createReadRight({ roleOf }: Pick<RoleLookup, 'roleOf'>): ReadRight {
  return async (person, right) => {
    const enough = roleForPermission(right);
    const resolved = await roleOf(person, { within: PROOF_AGE_MS, enough });
    return { verdict: decideAccess(resolved, right), asOf: resolved.asOf ?? null };
  };
}

export type PermissionsOptions = {
  readonly people: Pick<RoleLookup, 'roleOf'>;
  /** People who can grant a role, named in the refusal. */
  readonly admins: readonly PersonId[];
};

export function createPermissions({ people, admins }: PermissionsOptions): Permissions {
  return {
    async refusal(person, need) {
      const needed = roleForPermission(need);
      const resolvedRole = await people.roleOf(person, { enough: needed });
      switch (decideAccess(resolvedRole, need)) {
        case 'allowed':
          return null;
        case 'refused':
          return { kind: 'not-allowed', need: needed, role: resolvedRole.role, ask: admins };
        case 'unknown':
          return { kind: 'rights-unknown', reference: newReference() };
      }
    },
  };
}
