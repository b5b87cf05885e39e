/** The ports that answer one person: what their role lets them see, and how much of a list fits the answer. */
import type { Permission } from '../../lib/access.ts';
import { createPermissions, type PermissionsOptions } from '../access/permissions.ts';
import {
  createPersonalDataAccess,
  type PersonalDataAccess,
  type PersonalOptions,
} from '../access/personal-data.ts';
import type { CommandSource } from '../replies/private-replies.ts';
import { MAX_EXPORT_ROWS } from '../sharing/share-answer.ts';

type PortsPurpose = {
  /** The whole list in one, instead of a page. */
  readonly allPages?: boolean | undefined;
  readonly purpose?: keyof PersonalDataAccess;
};

export function createCallerPorts(options: PermissionsOptions & PersonalOptions) {
  const rights = createPermissions(options);
  const personal = createPersonalDataAccess(options);
  return async ({ person }: CommandSource, { allPages = false, purpose = 'reading' }: PortsPurpose = {}) => ({
    ...(await personal[purpose](person)),
    asker: person,
    refusal: (need: Permission) => rights.refusal(person, need),
    ...(allPages ? { pageSize: MAX_EXPORT_ROWS } : {}),
  });
}
