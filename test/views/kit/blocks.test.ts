import { describe, expect, it } from 'vitest';
import {
  actions,
  button,
  context,
  divider,
  fields,
  rowBlocks,
  section,
} from '../../../src/views/kit/blocks.ts';
import { md, trustedMrkdwn } from '../../../src/views/kit/escape.ts';
import { buildMessage } from '../../../src/views/kit/message.ts';

describe('blocks', () => {
  it('cut a button and its dialog to what Slack takes', () => {
    const long = 'x'.repeat(1_000);
    const made = button({
      action: 'scan',
      label: long,
      value: '{}',
      confirm: { title: long, text: long, confirm: long, deny: long },
    });
    expect(made).toMatchObject({
      text: { text: `${'x'.repeat(74)}…` },
      confirm: {
        title: { text: `${'x'.repeat(99)}…` },
        text: { text: `${'x'.repeat(299)}…` },
        confirm: { text: `${'x'.repeat(29)}…` },
        deny: { text: `${'x'.repeat(29)}…` },
      },
    });
  });

  it('let Slack make no link or mention of its own', () => {
    expect(section(md`x`)).toEqual({ type: 'section', text: { type: 'mrkdwn', text: 'x', verbatim: true } });
  });

  it('put ten facts into a section and go on in another', () => {
    const facts = Array.from({ length: 23 }, () => ({ label: 'a', value: md`b` }));
    const sizes = fields(facts).map((block) => (Array.isArray(block['fields']) ? block['fields'].length : 0));
    expect(sizes).toEqual([10, 10, 3]);
  });

  it('make no row of no buttons', () => {
    expect(actions(null, null)).toEqual([]);
  });

  it('pack lines into few sections and count what is left', () => {
    const items = Array.from({ length: 10 }, () => trustedMrkdwn('x'.repeat(999)));
    const packed = rowBlocks(items, { budget: 8_000, more: (left) => md`${left} more` });
    expect(packed).toHaveLength(4);
    expect(packed.at(-1)).toEqual(context(md`2 more`));
  });
});

describe('message', () => {
  const footer = [section(md`the end`)];

  it('keeps the end and says how much of a body of too many blocks was left out', () => {
    const { blocks } = buildMessage({ text: md`x`, body: Array.from({ length: 60 }, divider), footer });
    expect(blocks).toHaveLength(50);
    expect(blocks.slice(-2)).toEqual([context(md`12 more parts didn’t fit in this message.`), ...footer]);
  });

  it('does the same for a body of too many characters', () => {
    const body = Array.from({ length: 10 }, () => section(trustedMrkdwn('x'.repeat(2_000))));
    const { blocks } = buildMessage({ text: md`x`, body, footer });
    expect(blocks.slice(-2)).toEqual([context(md`5 more parts didn’t fit in this message.`), ...footer]);
  });

  it('leaves a body alone that fits', () => {
    const body = Array.from({ length: 48 }, divider);
    expect(buildMessage({ text: md`x`, body, footer }).blocks).toEqual([...body, ...footer]);
  });
});
