import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isList, toCsv } from '../../../src/views/sharing/csv.ts';
import { START } from '../../harness/builders.ts';
import { samples } from '../samples/all-samples.ts';

/** The fields of a CSV file as a spreadsheet reads them (RFC 4180). */
function fieldsOf(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/y;
  for (let at = text.startsWith('\uFEFF') ? 1 : 0; at < text.length; ) {
    field.lastIndex = at;
    const found = field.exec(text);
    if (found === null) throw new Error(`no field at ${at}`);
    row.push((found[1] ?? found[2] ?? '').replaceAll('""', '"'));
    at = field.lastIndex;
    if (found[3] !== ',') {
      rows.push(row);
      row = [];
    }
  }
  return rows;
}

const lists = (text: string) =>
  samples({ text, count: 3 }).flatMap(([name, view]) => (isList(view) ? [{ name, view }] : []));

describe('a list as a file', () => {
  it.each(lists('web-01'))('$name has a row for each', ({ view }) => {
    const csv = toCsv(view);
    const [head = [], ...rows] = fieldsOf(csv?.text ?? '');
    expect(rows).toHaveLength(csv?.rows ?? -1);
    for (const row of rows) expect(row).toHaveLength(head.length);
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '＝1', ' =1'])(
    'never has a formula: %j',
    (text) => {
      for (const { view } of lists(text)) {
        for (const row of fieldsOf(toCsv(view)?.text ?? '')) {
          for (const one of row) expect(one).not.toMatch(/^(?:[=@\t\r＝＋－＠]|[+-](?!\d+$))/u);
        }
      }
    },
  );

  it('holds whatever others write in its own cell', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        for (const { view } of lists(text)) {
          const [head = [], ...rows] = fieldsOf(toCsv(view)?.text ?? '');
          for (const row of rows) expect(row).toHaveLength(head.length);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('is named after the command and the day', () => {
    const [view] = lists('x').flatMap((one) => ('paging' in one.view ? [one.view] : []));
    if (view === undefined) throw new Error('no list with pages');
    const nameOf = (text: string) =>
      toCsv({ ...view, paging: { ...view.paging, asOf: START, line: { root: '/fleet', text } } })?.name;
    const day = new Date(START).toISOString().slice(0, 10);
    expect(nameOf('missing CVE-2026-1234')).toBe(`missing-CVE-2026-1234-${day}.csv`);
    expect(nameOf('devices group:"Büro / 3.1" -is:offline')).toBe(
      `devices-group-Büro-3.1-is-offline-${day}.csv`,
    );
    expect(nameOf('../../etc')).toBe(`etc-${day}.csv`);
  });

  it('shortens digests to what tells them apart', () => {
    const digest = 'f'.repeat(64);
    const ends = lists(digest).flatMap(({ view }) => {
      const full = view.kind === 'results' ? { ...view, request: { ...view.request, seal: digest } } : view;
      const last = fieldsOf(toCsv(full)?.text ?? '')
        .at(-1)
        ?.at(-1);
      return view.kind === 'results' || view.kind === 'audit' ? [[view.kind, last?.length]] : [];
    });
    expect(ends).toContainEqual(['audit', 32]);
    expect(ends.filter(([, length]) => length === 64)).toEqual([]);
  });

  it('is made of lists alone', () => {
    expect(lists('web-01').length).toBeGreaterThan(5);
    for (const [, view] of samples({ text: 'web-01', count: 2 })) {
      expect(toCsv(view) !== null).toBe(isList(view));
    }
  });
});
