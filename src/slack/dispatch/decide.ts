/** What people decide about requests: by one press, or in a window that a press opens. */
import type { RecordsReader } from '../../commands/core/command.ts';
import { decideAccess, type ResolvedRole, roleForPermission } from '../../lib/access.ts';
import { newReference, newWindowId, type PersonId } from '../../lib/ids.ts';
import type { RequestService } from '../../requests/decide/request-service.ts';
import type { DecisionOutcome, View } from '../../views/model.ts';
import type { RoleLookup } from '../access/role-lookup.ts';
import { decisionOutcome } from './decision-outcome.ts';
import type { Dispatch } from './dispatch-port.ts';
import { markMaybeChanged } from './unexpected-errors.ts';

export type DecideOptions = {
  readonly people: Pick<RoleLookup, 'roleOf'>;
  readonly ports: { readonly records: Pick<RecordsReader, 'shownRequest'> };
  readonly requests: Pick<RequestService, 'decide' | 'control' | 'openWindow' | 'submitWindow'>;
};

export function createDecide({
  people,
  ports: { records },
  requests,
}: DecideOptions): Pick<Dispatch, 'decide' | 'control' | 'openWindow' | 'submitWindow'> {
  const resolve = (person: PersonId) =>
    people.roleOf(person, { fresh: true, enough: roleForPermission('approve') });
  const decided = async (outcome: DecisionOutcome | Promise<DecisionOutcome>): Promise<View> => ({
    kind: 'decided',
    outcome: await outcome,
  });

  return {
    async decide({ requestId, seal, decision, caller: { person } }) {
      // Everybody may withdraw their own request, whatever their role.
      const resolved = decision === 'withdraw' ? { role: null, maybe: null } : await resolve(person);
      if (isUnread(resolved)) return rightsUnknown();
      const { role } = resolved;
      const result = await markMaybeChanged(() =>
        requests.decide({ requestId, person, role, decision, seal }),
      );
      return decided(decisionOutcome(result, decision, { records, requestId }));
    },
    async control({ requestId, control, caller: { person } }) {
      const resolved = await resolve(person);
      const { role } = resolved;
      const result = await markMaybeChanged(() => requests.control({ requestId, person, role, control }));
      // Whoever requested it may halt it whatever their role is: so only a refusal waits for an unread user group.
      const isUnsure = result.kind === 'refused' && result.refusal.kind === 'not-allowed';
      if (isUnsure && isUnread(resolved)) return rightsUnknown();
      return decided(decisionOutcome(result, control, { records, requestId }));
    },
    async openWindow({ requestId, wanted, caller: { person } }) {
      const resolved = await resolve(person);
      if (isUnread(resolved)) return rightsUnknown();
      // Read once: the window shows exactly what its seal is about.
      const request = await records.shownRequest(requestId);
      if (request === null) return decided({ kind: 'absent' });
      const opened = await requests.openWindow({ request, person, role: resolved.role, wanted });
      if (opened.kind !== 'open')
        return decided(decisionOutcome(opened, wanted.kind, { records, requestId }));
      const { decides, endsAt } = opened;
      return decided({ kind: 'window', id: newWindowId(), decides, endsAt, request });
    },
    async submitWindow({ caller: { person }, ...submitted }) {
      const resolved = await resolve(person);
      if (isUnread(resolved)) return rightsUnknown();
      const { role } = resolved;
      const result = await markMaybeChanged(() => requests.submitWindow({ ...submitted, person, role }));
      if (result.kind === 'window-refused') return decided(result);
      const { requestId, decides } = result.window;
      return decided(decisionOutcome(result.result, decides.kind, { records, requestId }));
    },
  };
}

/** Slack does not say whether the person may approve. */
function isUnread(resolved: ResolvedRole): boolean {
  return decideAccess(resolved, 'approve') === 'unknown';
}

function rightsUnknown(): View {
  return { kind: 'problem', problem: { kind: 'rights-unknown', reference: newReference() } };
}
