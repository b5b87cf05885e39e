/**
 * Access decisions. Pure. Roles come from the configuration file; each role includes the rights of the roles before
 * it.
 */
import type { Instant } from './clock.ts';

export const ROLES = ['viewer', 'operator', 'approver', 'admin'] as const;
export type Role = (typeof ROLES)[number];

export type Permission = 'read' | 'propose' | 'approve' | 'audit' | 'configure';

const REQUIRED_ROLES: Readonly<Record<Permission, Role>> = {
  read: 'viewer',
  propose: 'operator',
  approve: 'approver',
  audit: 'approver',
  configure: 'admin',
};

type AccessResult = { readonly allowed: true } | { readonly allowed: false; readonly needed: Role };

export type ResolvedRole = {
  /** The highest role that is certain: by user id, or by a user group that was read. Null: none. */
  readonly role: Role | null;
  /** The highest role that an unreadable user group might give; null where none could give more than `role`. */
  readonly maybe: Role | null;
  /** When the oldest answer of Slack that this stands on was given; absent: none, or nobody asked. */
  readonly asOf?: Instant;
};
export type AccessVerdict = 'allowed' | 'refused' | 'unknown';

/** Whether a person may do this. `unknown` only where a user group that could not be read decides it. */
export function decideAccess({ role, maybe }: ResolvedRole, permission: Permission): AccessVerdict {
  if (checkPermission(role, permission).allowed) return 'allowed';
  return checkPermission(maybe, permission).allowed ? 'unknown' : 'refused';
}

export function roleForPermission(permission: Permission): Role {
  return REQUIRED_ROLES[permission];
}

export function checkPermission(role: Role | null, permission: Permission): AccessResult {
  return checkRole(role, REQUIRED_ROLES[permission]);
}

export function checkRole(role: Role | null, needed: Role): AccessResult {
  const allowed = role !== null && ROLES.indexOf(role) >= ROLES.indexOf(needed);
  return allowed ? { allowed } : { allowed, needed };
}

export function highestRole(roles: readonly Role[]): Role | null {
  return roles.toSorted((a, b) => ROLES.indexOf(b) - ROLES.indexOf(a))[0] ?? null;
}
