/** What was to be installed is there already: nothing is sent, and there is nothing to decide again. */
import { describe, expect, it } from 'vitest';
import { planRollout } from '../../../src/rollout/plan.ts';
import { renderView } from '../../../src/views/views.ts';
import { renderedButtons } from '../../views/rendered-text.ts';
import { createRequestsSetup, type RequestsSetup } from '../requests-setup.ts';

const patchAll = { kind: 'patch-all' } as const;
let line: RequestsSetup;

async function drawn(id: Parameters<RequestsSetup['targetsOf']>[0]) {
  const [request, targets] = await Promise.all([line.requestNow({ id }), line.targetsOf(id)]);
  return renderView({ kind: 'request', request: { ...request, targets } });
}

describe('an installation of what is there by now', () => {
  it('ends as no longer needed, without a second approval, and without a button to request it again', async () => {
    line = await createRequestsSetup();
    const request = await line.ask(patchAll);
    for (const name of ['openssl', 'curl']) line.fleet.install(name);
    await line.approve(request);
    await line.settle();
    const ended = { state: 'ended', counts: { not_needed: 1 }, note: null };
    expect(await line.requestNow(request)).toMatchObject(ended);
    expect(await line.targetFor(request)).toMatchObject({
      state: 'not_needed',
      evidence: [{ kind: 'not-needed' }],
    });
    expect(line.fleet.world.posts).toEqual([]);
    const card = await drawn(request.id);
    expect(card.text).toMatch(/^▫️ No longer needed: Install all missing patches on /);
    expect(card.text).toContain('The management service no longer lists any of it as missing.');
    expect(renderedButtons(card).map(({ action }) => action)).not.toContain('again');
  });

  it('returns to its approver where a part of it is still missing', async () => {
    line = await createRequestsSetup();
    const request = await line.ask(patchAll);
    line.fleet.install('curl');
    await line.approve(request);
    await line.settle();
    expect(await line.requestNow(request)).toMatchObject({ state: 'waiting', note: { kind: 'drifted' } });
  });

  it('is no change that stops a rollout', async () => {
    line = await createRequestsSetup({ typedCountFrom: 99 });
    const devices = line.fleet.addDevices(2);
    const plan = planRollout(3, { waves: [], brake: { kind: 'devices', devices: 1 } });
    const request = await line.record(patchAll, devices, { plan });
    for (const name of ['openssl', 'curl']) line.fleet.install(name);
    await line.approve(request);
    await line.settle();
    expect(await line.requestNow(request)).toMatchObject({ state: 'ended', counts: { not_needed: 3 } });
    expect(line.fleet.world.posts).toEqual([]);
    expect((await drawn(request.id)).text).toMatch(/^▫️ No longer needed: Install all missing patches on 3/);
  });
});
