/** Whether a person may do something, and the message if not. */
import { decideAccess, type Permission, roleForPermission } from '../../lib/access.ts';
import type { Clock } from '../../lib/clock.ts';
import { newReference, type PersonId } from '../../lib/ids.ts';
import { PROOF_AGE_MS, type ReadRight } from '../../requests/decide/prove-rights.ts';
import type { Problem } from '../../views/model.ts';
import type { SlackWeb } from '../web-api/slack-web.ts';
import type { RoleLookup } from './role-lookup.ts';

export type Permissions = {
  /** Null when allowed. May ask Slack for the person's groups. */
  readonly refusal: (person: PersonId, need: Permission) => Promise<Problem | null>;
};

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
