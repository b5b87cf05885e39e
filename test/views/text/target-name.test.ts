/** A rename of a device needs no approval, so a name alone tells nobody which device it is. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deviceId } from '../../../src/lib/ids.ts';
import type { RequestTarget } from '../../../src/store/port/request-records.ts';
import { renderExplainedDevices } from '../../../src/views/answers/explain-answer.ts';
import { menuOption } from '../../../src/views/kit/blocks.ts';
import { operationsCsv, resultsCsv } from '../../../src/views/requests/request-lists.ts';
import { plainTargetName, targetName } from '../../../src/views/text/common-text.ts';
import { type Block, renderView, type View } from '../../../src/views/views.ts';
import { START } from '../../harness/builders.ts';
import { aReadyTarget, aRequest, aTarget, someFacts } from '../../harness/records.ts';
import { aRolloutRequest } from '../../harness/rollouts.ts';
import { renderedText as drawn, renderedText } from '../rendered-text.ts';
import { samples } from '../samples/all-samples.ts';
import { aPause } from '../samples/answer-samples.ts';

const facts = (displayName: string, hostname: string, id: number) =>
  someFacts({ displayName, hostname, deviceId: deviceId(id) });
const renamed = facts('Front desk', 'kiosk-07', 4007);
const RENAMED = 'Front desk (kiosk-07, #4007)';
const paging = { command: 'operations', input: {}, page: 0, pages: 1, total: 1, asOf: START };

describe('the name of a device of a request', () => {
  it.each([
    ['is the hostname alone where that is its name', facts('web-01', 'web-01', 1), 'web-01'],
    ['has hostname and ID where it is another', renamed, RENAMED],
    ['has the ID where it is not plain', facts('wеb-01', 'wеb-01', 2), 'wеb-01 (#2)'],
    ['has the ID where it begins an ID', facts('web-01 (#3', 'web-01 (#3', 4), '`web-01 (#3` (#4)'],
    ['is code where it forges facts', facts('lab · #3', 'x', 4), '`lab · #3` (x, #4)'],
    ['is code where it forges a list', facts('a, b and c', 'x', 4), '`a, b and c` (x, #4)'],
  ])('%s', (_what, target, expected) => {
    expect(targetName(target)).toBe(expected);
  });

  it('has the ID where another of the request has the same, however it is written', () => {
    const two = [facts('dup-01', 'dup-01', 1), facts('DUP-01', 'DUP-01', 2)] as const;
    expect(two.map((one) => targetName(one, two))).toEqual(['dup-01 (#1)', 'DUP-01 (#2)']);
  });

  it('is in quotation marks in a dialog where it forges facts', () => {
    expect(plainTargetName(facts('lab · #3', 'x', 4))).toBe('“lab · #3” (x, #4)');
  });
});

describe('a renamed device has its hostname and ID', () => {
  const target = aReadyTarget(renamed);
  const request = aRequest({ targets: [target] });
  const many = [target, aReadyTarget(facts('web-02', 'web-02', 2))];
  const few = { ...aRolloutRequest({ counts: { ready: 2, open: 2 } }), targets: many };
  const rollout = aRolloutRequest();
  const gone = { name: 'Front desk', hostname: 'kiosk-07', deviceId: deviceId(4007) };
  it.each([
    ['on the card', renderView({ kind: 'request', request })],
    ['on the card of several', renderView({ kind: 'request', request: few })],
    ['in the outcome of several', renderView({ kind: 'request', request: { ...few, state: 'running' } })],
    ['on the card of a rollout', renderView({ kind: 'request', request: { ...rollout, targets: [target] } })],
    ['in the message of the end', renderView({ kind: 'completion', request, link: null })],
    [
      'in the list of requests',
      renderView({ kind: 'approvals', mine: true, rows: [{ request, link: null }], paging }),
    ],
    [
      'in the list of commands',
      renderView({ kind: 'operations', rows: [{ request, link: null }], open: 1, paging }),
    ],
    [
      'in all devices',
      renderView({ kind: 'results', request: rollout, group: null, rows: [target], link: null, paging }),
    ],
    [
      'among those that are left out',
      renderExplainedDevices({
        kind: 'explain-devices',
        command: { kind: 'reboot' },
        devices: 0,
        rows: [{ kind: 'left-out', target: { ...gone, problem: { kind: 'device-gone', query: '4007' } } }],
        paging,
      }),
    ],
  ])('%s', (_where, message) => {
    const shown = renderedText(message).replaceAll('*', '');
    expect(shown).toContain(RENAMED);
    expect(shown.replaceAll(RENAMED, '')).not.toContain('Front desk (');
  });

  it('in the notification', () => {
    expect(renderView({ kind: 'request', request }).text).toContain(RENAMED);
  });

  it('in columns of their own in every file', () => {
    const results = (row: RequestTarget) =>
      resultsCsv({ kind: 'results', request: rollout, group: null, rows: [row], link: null, paging });
    expect(results(target).rows[0]?.slice(0, 3)).toEqual(['Front desk', 'kiosk-07', 4007]);
    const evidence = [
      { kind: 'install-failed', packages: ['curl'], words: null, installed: 0, total: 1 },
    ] as const;
    const failed = aTarget({ state: 'not_verified', evidence });
    const { head, rows } = results(failed);
    expect(rows[0]?.[head.indexOf('state')]).toBe('failed');
    const commands = operationsCsv({ kind: 'operations', rows: [{ request, link: null }], open: 1, paging });
    expect(commands.head).toEqual(expect.arrayContaining(['hostnames', 'device ids']));
    expect(commands.rows[0]).toEqual(expect.arrayContaining(['kiosk-07', '4007']));
  });
});

/** Begins every planted text, so that it is found wherever it is shown and however it is cut. */
const MARK = 'qqx';
const CODE = /`[^`]*`/g;
/** A quotation may be cut with its end. */
const QUOTED = /“[^“”]*(?:”|$)/g;

type Shown = { readonly type: string; readonly text: string };

/** Every text of a message, of any kind. */
function shownTexts(blocks: readonly Block[]): readonly Shown[] {
  const found: Shown[] = [];
  JSON.stringify(blocks, (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    const { type, text, label, name } = value as Readonly<Record<string, unknown>>; // JSON of our own making
    for (const one of [text, label, name])
      if (typeof one === 'string') found.push({ type: typeof type === 'string' ? type : 'label', text: one });
    return value;
  });
  return found;
}

/** Our own sentences about commands; and the arguments in a queue, which name a package each. */
const OWN = /^a (?:reading command|setting) explained|help|: usage$|^a queue/;

/** What is shown of the planted text outside of code and quotation marks. */
function unmarked(planted: string, count: number): readonly string[] {
  return samples({ text: planted, count }).flatMap(([name, view]) => {
    if (OWN.test(name)) return [];
    const { text, blocks, plain = [] } = renderView(view);
    const all = [{ type: 'mrkdwn', text }, ...shownTexts(blocks), ...shownTexts(plain)];
    return all
      .filter((one) => one.text.replaceAll(one.type === 'mrkdwn' ? CODE : QUOTED, '').includes(MARK))
      .map((one) => `${name}: ${one.type}: ${one.text.slice(0, 200)}`);
  });
}

describe('text from outside that has a character of which our lines are built', () => {
  it.each([
    ...Array.from('·—→✅•‧⋅・ㆍꞏ٠ー–\u1C7C\uA4F8\uA4FA\u2D48\u2D4F\u09F9', (mark) => `lab ${mark} Offline`),
    ...['lab-08…', 'lab-08...', 'kernel -- Approved', ':warning: Verified', 'lab \u0307 Offline'],
    'lab” is Verified. “lab',
    'because kernel · Approved by security · Hostname: lab-01 · #4999',
  ])('is shown as code or in quotation marks in every view: %s', (text) => {
    expect(unmarked(`${MARK}${text}`, 2)).toEqual([]);
  });

  const structure = fc.constantFrom(
    ...'·—→…•‧⋅∙・–―⇒|✅⏳▶⚠⛔❓▫“”'.split(''),
    '--',
    '...',
    ':x:',
    ' ',
    'lab',
    '#4999',
  );
  it('is marked whatever stands around it, and however it is cut', () => {
    fc.assert(
      fc.property(fc.array(structure, { maxLength: 40 }), fc.constantFrom(1, 2, 11), (parts, count) => {
        expect(unmarked(`${MARK}·${parts.join('')}`, count)).toEqual([]);
      }),
      { numRuns: 25 },
    );
  }, 120_000);

  it('is marked in the options of a menu, whose own separators stay', () => {
    expect(menuOption({ value: '7', label: 'lab · 08', detail: ['#7', 'Kiosks — old'] })).toMatchObject({
      text: { text: '“lab · 08”' },
      description: { text: '#7 · “Kiosks — old”' },
    });
  });
});

const words = (view: View) => drawn(renderView(view));

describe('the words of settings', () => {
  it('give the times of a file the time zone that files have', () => {
    const zone = 'Europe/Berlin';
    const text = words({ kind: 'timezone', zone, chosen: true, changed: true, asOf: START });
    expect(text).toContain('Exported files use UTC.');
  });

  it('ask whether to pause without a sentence that the press makes untrue', () => {
    const text = words({ kind: 'pause', what: 'ask' });
    expect(text).toContain('*Pause all changes?*\nNo changes are sent during a pause');
    expect(text).not.toContain('yet');
  });

  it('claim of no request that it was approved during a pause', () => {
    const pause = aPause({ endedAt: START });
    expect(words({ kind: 'pause', what: 'ended', pause })).toMatch(
      /Approved requests that the pause stopped need approval again\. Rollouts stay paused until an approver resumes them\.$/,
    );
  });
});
