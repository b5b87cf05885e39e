import { describe, expect, it } from 'vitest';
import { section } from '../../../src/views/kit/blocks.ts';
import { escapeMrkdwn, md } from '../../../src/views/kit/escape.ts';
import { withTicketLinks } from '../../../src/views/kit/mentions.ts';
import { fallbackText } from '../../../src/views/kit/message.ts';

const URL = 'https://t.example/{id}?a=1&b=2';
const link = (id: string) => `<https://t.example/${id}?a=1&amp;b=2|${id}>`;
const shown = (reason: string, max = 600): string => withTicketLinks(escapeMrkdwn(reason, max), URL);

describe('tickets in a reason', () => {
  it.each([
    ['OPS-12', link('OPS-12')],
    ['(OPS-12), AB2-7.', `(${link('OPS-12')}), ${link('AB2-7')}.`],
    ['OPS-12 and OPS-12 again', `${link('OPS-12')} and ${link('OPS-12')} again`],
    [
      'A1-1 B1-1 C1-1 AA-1 BB-2 CC-3 DD-4',
      `${link('A1-1')} ${link('B1-1')} ${link('C1-1')} AA-1 BB-2 CC-3 DD-4`,
    ],
    // Beside code, which has no links.
    ['OPS-12 & <!channel>', `\`OPS-12 &amp; &lt;!channel&gt;\` ${link('OPS-12')}`],
    ['*now*', '`*now*`'],
  ])('%s is shown as %s', (reason, text) => {
    expect(shown(reason)).toBe(text);
  });

  it('are none in other words, in parts of words and in addresses', () => {
    const words = 'ops-12 O-12 OPS-0 OPS-12345678901 XOPS_OPS-12 OPS-12a CVE-2026-1234 my-OPS-12 ÄOPS-12';
    for (const reason of [...words.split(' '), 'https://other.example/browse/OPS-12'])
      expect(shown(reason)).toBe(escapeMrkdwn(reason, 600));
  });

  it('are not linked where they are cut, or nothing says where they are', () => {
    expect(shown('see OPS-123', 10)).toBe('see OPS-1…');
    expect(withTicketLinks(md`OPS-12`, undefined)).toBe('OPS-12');
  });

  it('are text in notifications, where other links stay', () => {
    const other = md`<https://example.slack.com/p1|Open the request>`;
    const body = section(md`${withTicketLinks(md`OPS-12`, URL)} ${other}`);
    expect(fallbackText(md`Reboot`, [section(md`x`), body])).toBe(`Reboot\nOPS-12 ${other}`);
  });
});
