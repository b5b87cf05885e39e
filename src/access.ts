/** Who may do what: pure. Roles come from the configuration file; each role may do what the ones before it may. */
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

/** What is known of somebody's role. */
export type Standing = {
  /** The highest that is certain: by id, or by a user group that was read; null: none. */
  readonly role: Role | null;
  /** The highest that a user group might give which could not be read; null where none could give more than `role`. */
  readonly maybe: Role | null;
};
export type Verdict = 'allowed' | 'refused' | 'unknown';

/** Whether somebody of whom this is known may do this. Unknown only where a user group that was not read decides it. */
export function judge({ role, maybe }: Standing, need: Need): Verdict {
  if (mayDo(role, need).allowed) return 'allowed';
  return mayDo(maybe, need).allowed ? 'unknown' : 'refused';
}

/** The role that this needs. */
export function roleFor(need: Need): Role {
  return NEEDED[need];
}

/** Whether somebody of this role (null: none) may do this. */
export function mayDo(role: Role | null, need: Need): Access {
  return atLeast(role, NEEDED[need]);
}

/**
 * Whether somebody of this role may see who is logged in to a device, its serial number and its addresses, where the
 * configuration file shows them from the role `from` on.
 */
export function maySeePersonal(role: Role | null, from: Role): Access {
  return atLeast(role, from);
}

/** Whether `role` is `needed` or a higher one. */
export function atLeast(role: Role | null, needed: Role): Access {
  const allowed = role !== null && ROLES.indexOf(role) >= ROLES.indexOf(needed);
  return allowed ? { allowed } : { allowed, needed };
}

/** The highest of several roles, or null when there is none. */
export function highestRole(roles: readonly Role[]): Role | null {
  return roles.toSorted((a, b) => ROLES.indexOf(b) - ROLES.indexOf(a))[0] ?? null;
}
