import { describe, expect, it } from 'vitest';
import { policyId } from '../../../src/lib/ids.ts';
import { scriptedFleet } from '../harness.ts';
import type { Reply } from '../scripted-server.ts';
import { sentOf } from './harness.ts';

const POLICY = policyId(9);

describe('the remediation of a policy on all of its devices', () => {
  it('is an action that names no device', async () => {
    const { editor, service } = await scriptedFleet({ status: 201 });
    expect(await editor.remediateEverywhere(POLICY)).toEqual({ kind: 'done', result: null });
    expect(sentOf(service.requests)).toEqual([
      { method: 'POST', path: '/policies/9/action', query: { o: '7' }, body: { action: 'remediateAll' } },
    ]);
  });

  it('is not possible in the documented interface', async () => {
    const { editor, service } = await scriptedFleet({ status: 201 }, { dialect: 'documented' });
    expect(await editor.remediateEverywhere(POLICY)).toMatchObject({
      kind: 'refused',
      error: { kind: 'invalid', status: null },
    });
    expect(service.requests).toHaveLength(0);
  });

  it.each<[Reply, string]>([
    [{ status: 403 }, 'refused'],
    [{ status: 502 }, 'unknown'],
    ['drop', 'unknown'],
  ])('answered by %j is sent once and %s', async (reply, kind) => {
    const { editor, service } = await scriptedFleet(reply);
    expect(await editor.remediateEverywhere(POLICY)).toMatchObject({ kind });
    expect(service.requests).toHaveLength(1);
  });
});
