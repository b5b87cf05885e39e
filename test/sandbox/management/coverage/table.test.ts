/** The table and the service have the same endpoints, and no proof holds without what it proves. */

import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../src/lib/clock.ts';
import { createManagementApp } from '../../../../src/sandbox/management/http-app.ts';
import { profileOf } from '../../../../src/sandbox/management/profiles.ts';
import { createRunningWorld } from '../../../../src/sandbox/management/world/running-world.ts';
import { useStarted } from '../../../harness/use-started.ts';
import { START } from '../harness/service.ts';
import { COVERAGE_ROWS, type CoverageRow, PROFILES } from '../interface/coverage.ts';
import { ENDPOINTS, endpointTitle } from '../interface/endpoints.ts';
import {
  assertClaim,
  fieldTest,
  itemsIn,
  prove,
  sendWithout,
  startCoverageStage,
  withoutField,
} from './stage.ts';

describe('the coverage table', () => {
  it('has every row once', () => {
    const names = COVERAGE_ROWS.map(
      ({ endpoint, kind, name, profiles }) => `${endpoint} ${kind} ${name} ${profiles}`,
    );
    expect(new Set(names).size).toBe(names.length);
  });

  it('has only types that can be distinguished', () => {
    const types = COVERAGE_ROWS.filter(({ kind }) => kind === 'answer').map(({ type = '' }) => type);
    for (const profile of PROFILES) for (const type of types) expect(fieldTest(type, profile)).toBeDefined();
  });

  it.each(PROFILES)('names the routes of the %s service, and no other', (profile) => {
    const clock = createManualClock(START);
    const moving = createRunningWorld(clock, { devices: 10 });
    const app = createManagementApp({ clock, profile: profileOf(profile), world: () => moving });
    const routes = app.routes
      .filter(({ method, path }) => method !== 'ALL' && path !== '/*')
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
    moving.end();
    clock.stop();
    expect(ENDPOINTS.map(endpointTitle).sort()).toEqual([...new Set(routes)].sort());
  });
});

const ROW: CoverageRow = {
  endpoint: 'GET /servers',
  kind: 'query',
  name: 'groupId',
  profiles: ['live'],
};

describe('a proof', () => {
  const stage = useStarted(() => startCoverageStage('live', 10));

  it('that holds without what it is about is refused', async () => {
    await expect(prove(stage, ROW, async () => undefined)).rejects.toThrow('holds without it');
  });

  it('that does not hold is refused', async () => {
    await expect(prove(stage, ROW, async () => assertClaim(false, 'never'))).rejects.toThrow('never');
  });

  it('that breaks instead of failing is refused', async () => {
    let asked = 0;
    const breaks = async () => {
      asked += 1;
      if (asked === 2) throw new TypeError('a mistake of the proof');
    };
    await expect(prove(stage, ROW, breaks)).rejects.toThrow('a mistake of the proof');
  });

  it.each<[CoverageRow['kind'], string, unknown]>([
    ['path', 'id', { endpoint: 'E', id: 8, query: { q: 1 }, body: { b: 1 }, headers: { h: '1' } }],
    ['query', 'q', { endpoint: 'E', id: 7, query: { q: null }, body: { b: 1 }, headers: { h: '1' } }],
    ['body', 'b=1', { endpoint: 'E', id: 7, query: { q: 1 }, body: {}, headers: { h: '1' } }],
    ['header', 'H', { endpoint: 'E', id: 7, query: { q: 1 }, body: { b: 1 }, headers: { h: null } }],
  ])('loses just its %s', async (kind, name, expected) => {
    const request = { endpoint: 'E', id: 7, query: { q: 1 }, body: { b: 1 }, headers: { h: '1' } };
    const seen: unknown[] = [];
    const ask = sendWithout(
      async (sent) => {
        seen.push(sent);
        return { status: 200, body: null };
      },
      { ...ROW, endpoint: 'E', kind, name },
    );
    await ask(request);
    await ask({ ...request, endpoint: 'another' });
    expect(seen).toEqual([expected, { ...request, endpoint: 'another' }]);
  });

  it('loses a field in every row, and inside of them', () => {
    const rows = [
      { id: 1, nics: [{ mac: 'a', type: 'b' }] },
      { id: 2, nics: [] },
    ];
    expect(withoutField(rows, 'nics[].mac')).toEqual([
      { id: 1, nics: [{ type: 'b' }] },
      { id: 2, nics: [] },
    ]);
    expect(itemsIn(withoutField({ size: 2, results: rows }, 'id')).map((row) => 'id' in row)).toEqual([
      false,
      false,
    ]);
  });
});
