/** A press on Pause or Stop of a rollout. */
import type { RecordsReader } from '../../commands/core/command.ts';
import { decideAccess, roleForPermission } from '../../lib/access.ts';
import { newReference } from '../../lib/ids.ts';
import type { ControlResult } from '../../requests/decide/control-rollout.ts';
import type { RequestService } from '../../requests/decide/request-service.ts';
import type { ControlKind, DecisionOutcome, View } from '../../views/model.ts';
import type { RoleLookup } from '../access/role-lookup.ts';
import type { ControlRequest } from './dispatch-port.ts';
import { markMaybeChanged } from './unexpected-errors.ts';

export type ControlOptions = {
  readonly people: Pick<RoleLookup, 'roleOf'>;
  readonly ports: { readonly records: Pick<RecordsReader, 'shownRequest'> };
  readonly requests: Pick<RequestService, 'control'>;
};

export function createControl({ people, ports, requests }: ControlOptions) {
  return async ({ requestId, control, caller, askedAt }: ControlRequest): Promise<View> => {
    const { person } = caller;
    const resolved = await people.roleOf(person, { fresh: true, enough: roleForPermission('approve') });
    const { role } = resolved;
    const result = await markMaybeChanged(() =>
      requests.control({ requestId, person, role, control, askedAt }),
    );
    // Whoever requested it may halt it whatever their role is: so only a refusal waits for an unread user group.
    const isUnsure = result.kind === 'refused' && result.refusal.kind === 'not-allowed';
    if (isUnsure && decideAccess(resolved, 'approve') === 'unknown')
      return { kind: 'problem', problem: { kind: 'rights-unknown', reference: newReference() } };
    return { kind: 'decided', outcome: await controlOutcome(result, control, ports.records) };
  };
}

/** The same for what a submitted window let go on. */
export async function controlOutcome(
  result: ControlResult,
  control: ControlKind,
  records: Pick<RecordsReader, 'shownRequest'>,
): Promise<DecisionOutcome> {
  switch (result.kind) {
    case 'absent':
      return result;
    case 'paused':
      return { kind: 'held-by-pause', pause: result.pause };
    case 'refused': {
      const { refusal } = result;
      if (refusal.kind === 'own-request') return { kind: 'own-rollout' };
      return refusal.kind === 'rollout-is' ? { kind: refusal.kind, standing: refusal.standing } : refusal;
    }
    case 'changed': {
      const request = await records.shownRequest(result.request.id);
      return request === null ? { kind: 'absent' } : { kind: 'controlled', control, request };
    }
  }
}
