/** Tests of the proofs: one that cannot fail is a defect. */
import { describe, expect, it } from 'vitest';
import { useStarted } from '../../../harness/use-started.ts';
import type { CoverageRow } from '../interface/row-types.ts';
import { assertClaim } from './claim.ts';
import { prove, startCoverageStage } from './coverage-harness.ts';
import { itemsIn, withoutField } from './json-fields.ts';
import { sendWithout } from './requester.ts';

const ROW: CoverageRow = {
  endpoint: 'GET /servers',
  kind: 'query',
  name: 'groupId',
  profiles: ['live'],
  source: 'document',
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
