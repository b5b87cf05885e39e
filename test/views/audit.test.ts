/** What the audit says of an entry. */
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { personId } from '../../src/ids.ts';
import { actionWords } from '../../src/views/audit-words.ts';
import { when } from '../../src/views/kit/when.ts';
import { render } from '../../src/views/render.ts';
import { START } from '../harness/builders.ts';

it('shows the end of a silence as a time that people read', () => {
  const row = {
    at: START,
    actor: personId('UOPERATOR'),
    action: 'alerts.silenced',
    subject: 'silence 1',
    detail: { until: START },
    sequence: 1,
    hash: '',
  };
  const paging = { command: 'audit', input: {}, page: 0, pages: 1, total: 1, asOf: START };
  const drawn = render({ kind: 'audit', device: null, rows: [row], since: START, cut: false, paging });
  expect(JSON.stringify(drawn.blocks)).toContain(`until: ${when(START)}`);
});

it.each([
  ['operation.issuing', { device: 4001 }, 'was about to send it · device: #4001 · `o_1`'],
  [
    'operation.requested',
    { command: 'scan', devices: '1 2' },
    'asked for a command · scan, devices: #1 #2 · `o_1`',
  ],
  [
    'approval.requested',
    { fields: 'customName tags' },
    'asked for approval · fields: custom name, tags · `o_1`',
  ],
  ['alerts.subscribed', { channel: 'C0OPS' }, 'subscribed to alerts · channel: <#C0OPS> · `o_1`'],
  ['alerts.subscribed', { channel: 'D0ANN' }, 'subscribed to alerts · channel: direct message · `o_1`'],
  ['something.newer', { policy: 7 }, 'something.newer · policy: #7 · `o_1`'],
])('says %s in words', (action, detail, words) => {
  const row = {
    at: START,
    actor: 'patchbay' as const,
    action,
    subject: 'o_1',
    detail,
    sequence: 1,
    hash: '',
  };
  const paging = { command: 'audit', input: {}, page: 0, pages: 1, total: 1, asOf: START };
  const drawn = render({ kind: 'audit', device: null, rows: [row], since: START, cut: false, paging });
  expect(JSON.stringify(drawn.blocks)).toContain(words);
});

it('has words for every action that is written down', () => {
  const ACTION = /(?<!event: |onStep\?\.\()'((?:operation|approval|changes|alerts|outcome)\.[a-z_-]+)'/g;
  const written = globSync('src/{approvals,operations,watch,slack}/**/*.ts').flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(ACTION)].map(([, action = '']) => action),
  );
  const ofNames = ['alias', 'saved'].flatMap((kind) => [`${kind}.shared`, `${kind}.removed`]);
  expect(written.length).toBeGreaterThan(15);
  expect([...written, ...ofNames].filter((action) => actionWords(action) === action)).toEqual([]);
});
