/** What two targets of one device have in common that must not be under way at the same time. */
import { createHash } from 'node:crypto';
import type { FleetAction } from '../../fleet/model/actions.ts';

/**
 * Equal for commands that do the same, and for edits of the same thing, which could undo each other; a digest, because
 * an index has no room for a long list of packages. `missing`: the packages that are sealed with the target.
 */
export function commandKeyOf(action: FleetAction, missing: readonly string[]): string {
  const kind = action.kind === 'patch-each' ? 'patch' : action.kind;
  return createHash('sha256')
    .update(JSON.stringify([kind, ...commandKeyParts(action, missing)]))
    .digest('hex');
}

function commandKeyParts(action: FleetAction, missing: readonly string[]): readonly (string | number)[] {
  switch (action.kind) {
    case 'scan':
    case 'reboot':
    case 'patch-all':
    case 'device-edit':
    case 'device-remove':
      return [];
    case 'patch':
      return [...new Set(action.packages)].toSorted();
    case 'patch-each':
      return [...new Set(missing)].toSorted();
    case 'policy-test':
    case 'policy-remediate':
      return [action.policyId];
    case 'group-edit':
    case 'group-remove':
      return [action.groupId];
    case 'group-create':
      return [action.group.parentId, action.group.name.trim().toLowerCase()];
    case 'policy-edit':
      return [action.policyId];
    case 'policy-create':
      return [action.policy.name.trim().toLowerCase()];
  }
}
