import { describe, expect, it } from 'vitest';
import type { Role } from '../../../src/lib/access.ts';
import { channelId, personId, requestId } from '../../../src/lib/ids.ts';
import { silentLog } from '../../../src/lib/log.ts';
import type { ControlInput } from '../../../src/requests/decide/control-rollout.ts';
import type { DecisionResult } from '../../../src/requests/decide/state-machine.ts';
import { createDecide } from '../../../src/slack/dispatch/decide.ts';
import { createFakeRecords } from '../../commands/harness/fake-records.ts';
import { START } from '../../harness/builders.ts';
import { aRolloutRequest } from '../../harness/rollouts.ts';

const REQUEST = aRolloutRequest({ state: 'running' });
const CALLER = { person: personId('U0ANN'), channel: channelId('C0APPROVALS') };

/** The answer to a press, and what was asked of the requests. */
async function pressed(
  result: DecisionResult,
  { role = 'approver', maybe = null }: { role?: Role | null; maybe?: Role | null } = {},
) {
  const asked: ControlInput[] = [];
  const refuses = () => Promise.reject(new Error('not asked for'));
  const { control } = createDecide({
    log: silentLog,
    people: { roleOf: async () => ({ role, maybe }) },
    ports: { clock: { now: () => START }, records: createFakeRecords({ requests: [REQUEST] }) },
    requests: {
      ...{ withdraw: refuses, openWindow: refuses, window: refuses, submitWindow: refuses },
      control: async (input) => {
        asked.push(input);
        return result;
      },
    },
  });
  return { view: await control({ requestId: requestId('r_1'), control: 'pause', caller: CALLER }), asked };
}
const refused = (refusal: Extract<DecisionResult, { kind: 'refused' }>['refusal']) =>
  ({ kind: 'refused', refusal }) as const;
const NOT_ALLOWED = refused({ kind: 'not-allowed', need: 'approver', role: null });

describe('a press on a control of a rollout', () => {
  it('is judged by the role that the person has now', async () => {
    const { view, asked } = await pressed({ kind: 'decided', request: REQUEST });
    expect(asked).toEqual([{ requestId: 'r_1', person: 'U0ANN', role: 'approver', control: 'pause' }]);
    expect(view).toMatchObject({ outcome: { kind: 'controlled', control: 'pause', request: { id: 'r_1' } } });
  });

  it.each<[DecisionResult, string]>([
    [{ kind: 'absent' }, 'absent'],
    [NOT_ALLOWED, 'others-rollout'],
    [refused({ kind: 'own-request' }), 'own-rollout'],
    [refused({ kind: 'rollout-is', standing: 'ended' }), 'rollout-is'],
    [refused({ kind: 'stale-card' }), 'stale-card'],
  ])('that changes nothing says why: %o', async (result, kind) => {
    expect((await pressed(result)).view).toMatchObject({ kind: 'decided', outcome: { kind } });
  });

  it('of the requester counts although nobody knows their role', async () => {
    const unread = { role: null, maybe: 'approver' } as const;
    expect((await pressed({ kind: 'decided', request: REQUEST }, unread)).view).toMatchObject({
      outcome: { kind: 'controlled' },
    });
    expect((await pressed(NOT_ALLOWED, unread)).view).toMatchObject({ problem: { kind: 'rights-unknown' } });
  });
});
