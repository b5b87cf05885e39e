/** Answers with a good status that carry an error: looked for in the queue, and never sent again. */
import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import type { RequestRecord } from '../../../src/store/port/request-records.ts';
import { evidenceText } from '../../../src/views/requests/evidence.ts';
import { anError } from '../fleet-builders.ts';
import { createRequestsSetup, type RequestsSetup } from '../requests-setup.ts';

const reboot = { kind: 'reboot' } as const;

let line: RequestsSetup;

async function approvedAndSettled(): Promise<RequestRecord> {
  const request = await line.approved(reboot);
  return request;
}

describe('an answer that carries an error with a good status', () => {
  it('is unknown until the queue was looked at: a command that is there is followed', async () => {
    line = await createRequestsSetup();
    line.fleet.world.fate = 'declined-after';
    const request = await approvedAndSettled();
    expect(await line.targetFor(request)).toMatchObject({ state: 'unknown' });
    await line.pass(10 * MINUTE);
    expect(await line.targetFor(request)).toMatchObject({ state: 'queued' });
    expect(line.fleet.world.posts).toEqual([reboot]);
  });

  it('is a refusal in the words of the service once two looks did not find it, and is never sent again', async () => {
    line = await createRequestsSetup();
    line.fleet.world.fate = 'declined-before';
    const request = await approvedAndSettled();
    await line.pass(5 * SECOND);
    expect(await line.targetFor(request)).toMatchObject({ state: 'unknown', endedAt: null });
    await line.pass(30 * SECOND);
    const target = await line.targetFor(request);
    expect(target).toMatchObject({ state: 'refused', evidence: [{ kind: 'refused' }] });
    expect(evidenceText(target.evidence, reboot)).toBe(
      'The management service did not accept the command. Nothing was changed. Cause: the management service answered with an error (HTTP 201, `device is &lt;in&gt; maintenance`).',
    );
    await line.pass(HOUR);
    expect(line.fleet.world.posts).toEqual([reboot]);
  });

  it('is no refusal where the queue cannot be read', async () => {
    line = await createRequestsSetup();
    line.fleet.world.fate = 'declined-before';
    const request = await approvedAndSettled();
    line.fleet.world.readError = anError('broken', 500);
    await line.pass(10 * MINUTE);
    expect(await line.targetFor(request)).toMatchObject({ state: 'unknown', endedAt: null });
  });

  it('is found late', async () => {
    line = await createRequestsSetup();
    line.fleet.world.fate = 'declined-before';
    const request = await approvedAndSettled();
    await line.pass(5 * SECOND);
    line.fleet.enqueue(reboot);
    await line.pass(MINUTE);
    expect(await line.targetFor(request)).toMatchObject({ state: 'queued' });
  });

  it('is no refusal where the device shows the effect', async () => {
    line = await createRequestsSetup();
    line.fleet.world.fate = 'declined-before';
    const request = await approvedAndSettled();
    line.fleet.change({ lastDisconnectTime: line.clock.now() });
    await line.pass(HOUR);
    expect(await line.targetFor(request)).toMatchObject({
      state: 'unknown',
      evidence: [{ kind: 'restarted' }, { kind: 'cause-unknown' }],
    });
  });
});
