/** What people decide about requests: by one press, or in a window that a press opens. */
import type { RecordsReader } from '../../commands/core/command.ts';
import { decideAccess, type ResolvedRole, roleForPermission } from '../../lib/access.ts';
import { newReference, newWindowId, type PersonId, type RequestId } from '../../lib/ids.ts';
import { type RequestService, STATE_BY_DECISION } from '../../requests/decide/request-service.ts';
import { type ControlRefusal, letsGoOn } from '../../requests/decide/rollout-machine.ts';
import type { Decision, DecisionResult, Refusal } from '../../requests/decide/state-machine.ts';
import type { ControlKind, DecisionOutcome, View } from '../../views/model.ts';
import type { RoleLookup } from '../access/role-lookup.ts';
import type { Dispatch } from './dispatch-port.ts';
import type { RequestAgainInput } from './request-again.ts';
import { markMaybeChanged } from './unexpected-errors.ts';

export type DecideOptions = {
  readonly people: Pick<RoleLookup, 'roleOf'>;
  readonly ports: { readonly records: Pick<RecordsReader, 'shownRequest'> };
  readonly requests: Pick<RequestService, 'decide' | 'control' | 'openWindow' | 'window' | 'submitWindow'>;
  /** Requests once more what an operation did not send. */
  readonly requestAgain: (order: RequestAgainInput) => Promise<View>;
};

export function createDecide({
  people,
  ports: { records },
  requests,
  requestAgain,
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
      const result = await markMaybeChanged(() =>
        requests.decide({ requestId, person, role: null, decision, seal }),
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
      if (wanted.kind !== 'again' && isUnread(resolved)) return rightsUnknown();
      // Read once: the window shows exactly what its seal is about.
      const request = await records.shownRequest(requestId);
      if (request === null) return decided({ kind: 'absent' });
      const opened = await requests.openWindow({ request, person, role: resolved.role, wanted });
      if (opened.kind === 'open') return decided({ ...opened, kind: 'window', id: newWindowId(), request });
      if (wanted.kind === 'again') return decided({ kind: 'absent' });
      return decided(decisionOutcome(opened, wanted.kind, { records, requestId }));
    },
    async submitWindow({ caller, ...submitted }) {
      const { person } = caller;
      const [resolved, opened] = [await resolve(person), await requests.window(submitted.id)];
      // Whoever requests it once more is judged as its requester.
      if (opened?.decides.kind !== 'again' && isUnread(resolved)) return rightsUnknown();
      const { role } = resolved;
      const result = await markMaybeChanged(() => requests.submitWindow({ ...submitted, person, role }));
      if (result.kind === 'window-refused') return decided(result);
      const { decides } = result.window;
      const { requestId } = decides;
      if (decides.kind === 'again')
        return requestAgain({ request: requestId, of: decides.of, caller, askedAt: submitted.askedAt });
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

type OutcomeOptions = {
  readonly records: Pick<RecordsReader, 'shownRequest'>;
  readonly requestId: RequestId;
};

export async function decisionOutcome(
  result: DecisionResult,
  decision: Decision | ControlKind,
  options: OutcomeOptions,
): Promise<DecisionOutcome> {
  switch (result.kind) {
    case 'absent':
      return result;
    case 'paused':
      return isControl(decision) ? { kind: 'held-by-pause', pause: result.pause } : result;
    case 'refused': {
      const { refusal } = result;
      if (!isControl(decision)) return refusalOutcome(refusal, options);
      if (refusal.kind === 'own-request') return { kind: 'own-rollout' };
      const isHalt = refusal.kind === 'not-allowed' && !letsGoOn(decision);
      return isHalt ? { kind: 'others-rollout', control: decision } : refusalOutcome(refusal, options);
    }
    case 'decided':
    case 'repeated': {
      const request = await options.records.shownRequest(options.requestId);
      if (request === null) return { kind: 'absent' };
      if (isControl(decision)) return { kind: 'controlled', control: decision, request };
      const kind = STATE_BY_DECISION[decision];
      return result.kind === 'decided'
        ? { kind, request }
        : { kind: 'repeated', request, decision: kind, at: request.decidedAt };
    }
  }
}

function isControl(decision: Decision | ControlKind): decision is ControlKind {
  return !(decision in STATE_BY_DECISION);
}

async function refusalOutcome(
  refusal: Refusal | ControlRefusal,
  { records, requestId }: OutcomeOptions,
): Promise<DecisionOutcome> {
  if (refusal.kind !== 'already') return refusal;
  const request = await records.shownRequest(requestId);
  return request === null ? { kind: 'absent' } : { ...refusal, request };
}
