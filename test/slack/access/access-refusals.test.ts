/** Refusals are recorded, but cannot fill the log and the audit. */
import { describe, expect, it } from 'vitest';
import { createManualClock, HOUR, instant } from '../../../src/lib/clock.ts';
import { type PersonId, personId } from '../../../src/lib/ids.ts';
import { createLog } from '../../../src/lib/log.ts';
import { createAccessRefusals } from '../../../src/slack/access/access-refusals.ts';
import type { AuditEntry } from '../../../src/store/port/records.ts';
import type { View } from '../../../src/views/model.ts';
import {
  enveloped,
  FORM,
  post,
  startHttp,
  startSocket,
  command as typed,
} from '../receiver/receiver-harness.ts';

const EVE = personId('U0EVE');
const refused: View = { kind: 'problem', problem: { kind: 'not-allowed', need: 'operator', role: 'viewer' } };

function stage() {
  const clock = createManualClock(instant(0));
  const lines: string[] = [];
  const log = createLog({ level: 'info', destination: { write: (line: string) => void lines.push(line) } });
  const entries: AuditEntry[] = [];
  const audit = {
    append: async (entry: AuditEntry) => {
      entries.push(entry);
      return { ...entry, sequence: entries.length, hash: '' };
    },
  };
  return { clock, lines, entries, refusals: createAccessRefusals({ audit, clock, log }) };
}

describe('a refusal for want of a role', () => {
  it('is in the log and in the audit', () => {
    const { refusals, entries, lines } = stage();
    expect(refusals.recordRefusal(EVE, 'reboot', refused)).toBe(refused);
    const detail = { attempt: 'reboot', need: 'operator', role: 'viewer' };
    expect(entries).toMatchObject([{ actor: EVE, action: 'access.refused', subject: 'reboot', detail }]);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { event: 'access.refused', actor: EVE, attempt: 'reboot' },
    ]);
  });

  it('is recorded five times an hour per person, and the next says how many were left out', async () => {
    const { refusals, entries, lines, clock } = stage();
    const often = (person: PersonId, times: number) => {
      for (let count = 0; count < times; count += 1) refusals.recordRefusal(person, 'reboot', refused);
    };
    often(EVE, 100);
    often(personId('U0MAL'), 3);
    expect(entries).toHaveLength(8);
    await clock.advance(HOUR);
    often(EVE, 1);
    expect(entries.at(-1)?.detail).toMatchObject({ skipped: 95 });
    expect(lines).toHaveLength(9);
  });

  it('is all that is kept', () => {
    const { refusals, entries } = stage();
    refusals.recordRefusal(EVE, 'device', {
      kind: 'problem',
      problem: { kind: 'no-such-policy', query: 'x', nearest: [] },
    });
    expect(entries).toEqual([]);
  });
});

describe('a payload of another app or team', () => {
  const home = { teamId: 'T1', enterpriseId: null, isOrgWide: false, appId: 'A1', otherTeams: [] };
  const foreign = { ...typed, team_id: 'T2' };

  it('is acknowledged and recorded, over HTTP and Socket Mode, and nothing is done', async () => {
    const { refusals, entries } = stage();
    const isForeign = refusals.isForeign(home);
    const http = await startHttp({ isForeign });
    const body = new URLSearchParams(foreign).toString();
    expect((await post(http.url, body, { type: FORM })).status).toBe(200);
    const socket = await startSocket({ isForeign });
    const { id, text } = enveloped('slash_commands', { ...foreign, user_id: 'not an id' });
    socket.send(text);
    await expect.poll(() => socket.acked.has(id)).toBe(true);
    expect([...http.heard, ...socket.heard]).toEqual([]);
    const entry = { action: 'access.foreign', subject: 'T2', detail: { origin: 'team' } };
    expect(entries).toMatchObject([
      { ...entry, actor: 'U1' },
      { ...entry, actor: 'patchbay' },
    ]);
  });

  it('is recorded five times an hour', () => {
    const { refusals, entries } = stage();
    const isForeign = refusals.isForeign(home);
    for (let count = 0; count < 100; count += 1) expect(isForeign(foreign)).toBe(true);
    expect(isForeign({ ...typed, team_id: 'T1' })).toBe(false);
    expect(entries).toHaveLength(5);
  });
});
