import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { personId } from '../../../src/lib/ids.ts';
import { LIMIT } from '../../../src/views/kit/limits.ts';
import { isList, toCsv } from '../../../src/views/sharing/csv.ts';
import { renderView, type View, withoutPersonalFields } from '../../../src/views/views.ts';
import { aDevice, START } from '../../harness/builders.ts';
import { property } from '../../harness/property.ts';
import { samples } from '../samples/all-samples.ts';

const VIEW: View = { kind: 'device', device: aDevice({ lastLoggedInUser: 'anna' }), groupName: null };
const BY = personId('UOPERATOR');
const shareable = (input: unknown): View => ({
  kind: 'shareable',
  share: true,
  file: false,
  view: VIEW,
  again: { command: 'device', input, page: 0 },
});
const json = (view: View) => JSON.stringify(renderView(view).blocks);

describe('an answer that may be shared', () => {
  it('is the answer with one more button', () => {
    expect(json(VIEW)).not.toContain('"action_id":"share"');
    expect(json(shareable({ device: 1001 }))).toContain('"action_id":"share"');
    expect(renderView(shareable({ device: 1001 })).text).toBe(renderView(VIEW).text);
  });

  it('goes without the button where the question is longer than one carries', () => {
    expect(renderView(shareable({ device: 'x'.repeat(LIMIT.buttonValue) }))).toEqual(renderView(VIEW));
  });

  it('says nothing of what is for the asker alone', () => {
    const view: View = { kind: 'problem', problem: { kind: 'device-gone', query: 'anna' } };
    expect(json(view)).toContain('anna');
    expect(json({ kind: 'shared', view, by: BY })).not.toContain('anna');
  });

  it('shows its reader who was logged in, and a channel who shares it instead', () => {
    expect(json(shareable({}))).toContain('anna');
    const shared = json({ kind: 'shared', view: VIEW, by: BY });
    expect(shared).not.toContain('anna');
    expect(shared).toContain('Shared by <@UOPERATOR>');
    expect(shared).not.toContain('"action_id":"share"');
  });

  it.each([false, true])(
    'mentions nobody in a channel, even where the reader was told whom to ask (personal: %s)',
    (personal) => {
      const view: View = { ...VIEW, lookOnly: { ask: [personId('UADMIN')] } };
      expect(json(view)).toContain('ask <@UADMIN> for the operator role');
      const shared = json({ kind: 'shared', view, by: BY, personal });
      expect(shared).not.toContain('UADMIN');
      expect(shared).not.toContain('You may look');
      // The person who shares may only look, so nothing more is offered in their name.
      expect(shared).not.toContain('"action_id":"reboot"');
    },
  );
});

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

  property([fc.string({ unit: 'binary', maxLength: 60 })], { numRuns: 60 })(
    'holds whatever others write in its own cell',
    (text) => {
      for (const { view } of lists(text)) {
        const [head = [], ...rows] = fieldsOf(toCsv(view)?.text ?? '');
        for (const row of rows) expect(row).toHaveLength(head.length);
      }
    },
  );

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

const withoutPersonal = (view: View) => JSON.stringify(renderView(withoutPersonalFields(view)).blocks);

describe('an answer for somebody who may not see what is personal', () => {
  it('says whom to ask for the role that changes a device, and not who logged in', () => {
    const device = aDevice({ lastLoggedInUser: 'anna' });
    const words = withoutPersonal({
      kind: 'device',
      device,
      groupName: null,
      lookOnly: { ask: [personId('UADMIN')] },
    });
    expect(words).toContain('ask <@UADMIN> for the operator role');
    expect(words).not.toContain('anna');
  });

  it('does not say that a device has no addresses', () => {
    const page = { kind: 'device-page', page: 'network', asOf: START } as const;
    const { text } = renderView(
      withoutPersonalFields({ ...page, device: aDevice({ addresses: [], privateAddresses: [] }) }),
    );
    expect(text.split('\n')[0]).toBe('Network for web-01: 0 network cards.');
    expect(text).not.toMatch(/\b(?:0|no) address/);
  });
});
