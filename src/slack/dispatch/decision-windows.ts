/** Windows that let something run: whether one opens for a person, and what its submission came to. */
import type { RecordsReader } from '../../commands/core/command.ts';
import { decideAccess, roleForPermission } from '../../lib/access.ts';
import { newReference, newWindowId, type PersonId } from '../../lib/ids.ts';
import type { WindowOutcome } from '../../requests/decide/decision-windows.ts';
import type { RequestService } from '../../requests/decide/request-service.ts';
import type { DecisionOutcome, View } from '../../views/model.ts';
import type { RoleLookup } from '../access/role-lookup.ts';
import { controlOutcome } from './control.ts';
import { decisionOutcome } from './decision-outcome.ts';
import type { SubmittedWindow, WindowRequest } from './dispatch-port.ts';
import { markMaybeChanged } from './unexpected-errors.ts';

export type DecisionWindowOptions = {
  readonly people: Pick<RoleLookup, 'roleOf'>;
  readonly ports: { readonly records: Pick<RecordsReader, 'shownRequest'> };
  readonly requests: Pick<RequestService, 'openWindow' | 'submitWindow'>;
};

export function createDecisionWindows({ people, ports, requests }: DecisionWindowOptions) {
  const { records } = ports;
  const roleOf = async (person: PersonId) => {
    const resolved = await people.roleOf(person, { fresh: true, enough: roleForPermission('approve') });
    return decideAccess(resolved, 'approve') === 'unknown' ? 'unknown' : resolved.role;
  };
  const outcomeOf = (outcome: WindowOutcome): Promise<DecisionOutcome> =>
    outcome.kind === 'approval'
      ? decisionOutcome(outcome.result, 'approve', { records, requestId: outcome.requestId })
      : controlOutcome(outcome.result, outcome.control, records);

  return {
    open: async ({ requestId, wanted, caller: { person } }: WindowRequest): Promise<View> => {
      const role = await roleOf(person);
      if (role === 'unknown') return rightsUnknown();
      // Read once: the window shows exactly what its seal is about.
      const request = await records.shownRequest(requestId);
      if (request === null) return { kind: 'decided', outcome: { kind: 'absent' } };
      const opened = await requests.openWindow({ request, person, role, wanted });
      if (opened.kind !== 'open') return { kind: 'decided', outcome: await outcomeOf(opened) };
      const { decides, endsAt } = opened;
      return { kind: 'decided', outcome: { kind: 'window', id: newWindowId(), decides, endsAt, request } };
    },
    submit: async ({ caller: { person }, ...submitted }: SubmittedWindow): Promise<View> => {
      const role = await roleOf(person);
      if (role === 'unknown') return rightsUnknown();
      const result = await markMaybeChanged(() => requests.submitWindow({ ...submitted, person, role }));
      return {
        kind: 'decided',
        outcome: result.kind === 'window-refused' ? result : await outcomeOf(result),
      };
    },
  };
}

function rightsUnknown(): View {
  return { kind: 'problem', problem: { kind: 'rights-unknown', reference: newReference() } };
}
