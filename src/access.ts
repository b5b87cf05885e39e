/** Who may do what: pure. Roles come from the policy file; each role may do what the ones before it may. */
export const ROLES = ['viewer', 'operator', 'approver', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** What a person wants to do. */
export type Need = 'read' | 'propose' | 'approve' | 'audit' | 'configure';

const NEEDED: Readonly<Record<Need, Role>> = {
  read: 'viewer',
  propose: 'operator',
  approve: 'approver',
  audit: 'approver',
  configure: 'admin',
};

export type Access = { readonly allowed: true } | { readonly allowed: false; readonly needed: Role };

/** Whether somebody of this role (null: none) may do this. */
export function mayDo(role: Role | null, need: Need): Access {
  return atLeast(role, NEEDED[need]);
}

/**
 * Whether somebody of this role may see who is logged in to a device, its serial number and its addresses, where the
 * policy file shows them from the role `from` on.
 */
export function maySeePersonal(role: Role | null, from: Role): Access {
  return atLeast(role, from);
}

function atLeast(role: Role | null, needed: Role): Access {
  const allowed = role !== null && ROLES.indexOf(role) >= ROLES.indexOf(needed);
  return allowed ? { allowed } : { allowed, needed };
}

/** The highest of several roles, or null when there is none. */
export function highestRole(roles: readonly Role[]): Role | null {
  return roles.toSorted((a, b) => ROLES.indexOf(b) - ROLES.indexOf(a))[0] ?? null;
}
