/** What people decide about requests: by one press, or in a window that a press opens. */
import type { RecordsReader } from '../../commands/core/command.ts';
import { checkPermission, decideAccess, type ResolvedRole, roleForPermission } from '../../lib/access.ts';
import { type Clock, SECOND } from '../../lib/clock.ts';
import {
  newReference,
  newWindowId,
  type PersonId,
  type Reference,
  type RequestId,
  requestCardKey,
  type UserGroupId,
} from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import { type Mark, type SubmitWindowResult, severalPage } from '../../requests/decide/decision-windows.ts';
import { type RequestService, STATE_BY_DECISION } from '../../requests/decide/request-service.ts';
import { type ControlRefusal, letsGoOn } from '../../requests/decide/rollout-machine.ts';
import type { Decision, DecisionResult, Refusal } from '../../requests/decide/state-machine.ts';
import { counts } from '../../rules/quorum.ts';
import type { DecisionWindow } from '../../store/port/decision-windows.ts';
import type { RequestRecord } from '../../store/port/request-records.ts';
import type { OneOutcome, SeveralOutcome } from '../../views/models/request-model.ts';
import type { ControlKind, DecisionOutcome, View } from '../../views/views.ts';
import { decidingGroups } from '../access/permissions.ts';
import type { RoleLookup } from '../access/role-lookup.ts';
import type { Dispatch, Marks, SeveralRequest, WindowRequest } from './dispatch-port.ts';
import { createErrorReporter, markMaybeChanged } from './unexpected-errors.ts';

export type DecideOptions = {
  readonly people: Pick<RoleLookup, 'roleOf' | 'membershipsOf'>;
  readonly ports: {
    readonly clock: Pick<Clock, 'now'>;
    readonly records: Pick<RecordsReader, 'shownRequest' | 'requests' | 'cardLink'>;
  };
  readonly requests: Pick<
    RequestService,
    'withdraw' | 'control' | 'openWindow' | 'window' | 'submitWindow' | 'approverGroups'
  >;
  readonly log: Log;
};

export function createDecide({
  people,
  ports: { records, clock },
  requests,
  log,
}: DecideOptions): Pick<Dispatch, 'withdraw' | 'control' | 'openWindow' | 'submitWindow'> {
  const failure = createErrorReporter(log);
  const resolve = (person: PersonId) =>
    people.roleOf(person, { fresh: true, enough: roleForPermission('approve') });
  /** Right after {@link resolve}, which read most of the same groups. */
  const membershipsFor = async (person: PersonId, request: RequestRecord) => {
    const named = requests.approverGroups(request);
    const { in: groups, out } = await people.membershipsOf(person, named, { within: READ_JUST_NOW_MS });
    const isRead = groups.length + out.length === named.length;
    const counted = isRead || counts(request.rules, { by: person, at: request.createdAt, groups });
    return { groups, isUnsure: !counted };
  };
  const decided = async (outcome: DecisionOutcome | Promise<DecisionOutcome>): Promise<View> => ({
    kind: 'decided',
    outcome: await outcome,
  });

  const openOne = async ({ requestId, wanted, caller: { person } }: WindowRequest): Promise<View> => {
    const resolved = await resolve(person);
    if (isUnread(resolved)) return rightsUnknown();
    // Read once: the window shows exactly what its seal is about.
    const request = await records.shownRequest(requestId);
    if (request === null) return decided({ kind: 'absent' });
    const { groups, isUnsure } = await membershipsFor(person, request);
    if (isUnsure && wanted.kind !== 'deny') return rightsUnknown();
    const opened = await requests.openWindow({ request, person, role: resolved.role, groups, wanted });
    if (opened.kind === 'open') return decided({ ...opened, kind: 'window', id: newWindowId(), request });
    return decided(decisionOutcome(opened, wanted.kind, { records, requestId }));
  };

  const openSeveral = async ({ wanted: { page }, caller: { person } }: SeveralRequest): Promise<View> => {
    const resolved = await resolve(person);
    if (isUnread(resolved)) return rightsUnknown();
    const access = checkPermission(resolved.role, 'approve');
    if (!access.allowed) return decided({ kind: 'not-allowed', need: access.needed, role: resolved.role });
    const waiting = await records.requests({ states: ['waiting'], oldestFirst: true }, MAX_WAITING);
    const groups = await decidingGroups(people, person, waiting);
    const { rows, ...shown } = severalPage(waiting, { person, groups, page, now: clock.now() });
    if (rows.length === 0) return decided({ kind: 'none-waiting' });
    const linked = rows.map(async (row) => {
      const link = row.alone === null ? null : await records.cardLink(requestCardKey(row.request));
      return { ...row, link };
    });
    return decided({ kind: 'several-window', id: newWindowId(), ...shown, rows: await Promise.all(linked) });
  };

  return {
    async withdraw({ requestId, caller: { person } }) {
      // Everybody may withdraw their own request, whatever their role.
      const result = await markMaybeChanged(() => requests.withdraw({ requestId, person }));
      return decided(decisionOutcome(result, 'withdraw', { records, requestId }));
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
    openWindow: (request) => ('requestId' in request ? openOne(request) : openSeveral(request)),
    async submitWindow({ caller, marks, ...submitted }) {
      const { person } = caller;
      const [resolved, opened] = [await resolve(person), await requests.window(submitted.id)];
      if (isUnread(resolved)) return rightsUnknown();
      const { role } = resolved;
      const memberships = async (mark?: Mark) => {
        const id = requestIn(opened, mark);
        const request = id === null ? null : await records.shownRequest(id);
        return request === null ? { groups: [], isUnsure: false } : membershipsFor(person, request);
      };
      const submit = (groups: readonly UserGroupId[], mark?: Mark) =>
        markMaybeChanged(() => requests.submitWindow({ ...submitted, person, role, groups, mark }));
      if (opened?.decides.kind === 'several' && marks !== undefined) {
        const failed = (thrown: unknown) => failure({ what: 'window', person, thrown }).reference;
        const each = async (mark: Mark) => submit((await memberships(mark)).groups, mark);
        return decided(severalOutcome(marks, { submit: each, failed, records }));
      }
      const { groups, isUnsure } = await memberships();
      // The window stays, to be submitted again.
      if (isUnsure && opened?.decides.kind !== 'deny') return rightsUnknown();
      return decided(submittedOutcome(await submit(groups), records));
    },
  };
}

/** The read of a role just before counts as now. */
const READ_JUST_NOW_MS = 10 * SECOND;

function requestIn(window: DecisionWindow | null, mark: Mark | undefined): RequestId | null {
  if (window === null) return null;
  return window.decides.kind === 'several' ? (mark?.requestId ?? null) : window.decides.requestId;
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

/** As many as the store lists at once. */
const MAX_WAITING = 500;

type SeveralOptions = {
  readonly submit: (mark: Mark) => Promise<SubmitWindowResult>;
  readonly failed: (thrown: unknown) => Reference;
  readonly records: Pick<RecordsReader, 'shownRequest' | 'cardLink'>;
};

/** Each is decided on its own, so one that fails stops none of the others; a window that is refused decides none. */
async function severalOutcome(
  { decision, requests: marked }: Marks,
  { submit, failed, records }: SeveralOptions,
): Promise<DecisionOutcome> {
  const results: SeveralOutcome['results'][number][] = [];
  for (const requestId of new Set(marked)) {
    const outcome = await submit({ decision, requestId }).then(
      (result) => submittedOutcome(result, records),
      (thrown: unknown) => ({ kind: 'failed', reference: failed(thrown) }) as const,
    );
    if (outcome.kind === 'window-refused' && results.length === 0) return outcome;
    const request =
      'request' in outcome ? outcome.request : await records.shownRequest(requestId).catch(() => null);
    const link = request && (await records.cardLink(requestCardKey(request)).catch(() => null));
    results.push({ request, outcome, link });
  }
  return { kind: 'several', decision, results };
}

async function submittedOutcome(
  submitted: SubmitWindowResult,
  records: OutcomeOptions['records'],
): Promise<OneOutcome> {
  if (submitted.kind === 'window-refused') return submitted;
  const { kind, requestId } = submitted.decides;
  return decisionOutcome(submitted.result, kind, { records, requestId });
}

export async function decisionOutcome(
  result: DecisionResult,
  decision: Decision | ControlKind,
  options: OutcomeOptions,
): Promise<OneOutcome> {
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
      // Others still have to agree.
      if (kind === 'approved' && result.request.state === 'waiting') return { kind: 'agreed', request };
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
): Promise<OneOutcome> {
  if (refusal.kind !== 'already') return refusal;
  const request = await records.shownRequest(requestId);
  return request === null ? { kind: 'absent' } : { ...refusal, request };
}
