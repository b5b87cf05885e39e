import { expect, it } from 'vitest';
import { checkView } from '../../../src/sandbox/slack/validate/payload-rules.ts';
import { simplifiedHome } from '../../../src/views/home/home-tab.ts';
import { PLAIN, renderedHome } from './home-facts.ts';

it.each(['web-01', '', '<!channel> & *bold*', '`'.repeat(3_000), '漢'.repeat(3_000)])(
  'is taken by Slack as text alone, whatever names say: %j',
  (text) => {
    for (const count of [0, 2, 60]) {
      const plain = simplifiedHome(renderedHome({}, { ...PLAIN, text, count }));
      expect(checkView(plain, 'home')).toEqual([]);
      expect(plain.blocks.filter(({ type }) => type !== 'section')).toEqual([]);
      expect(JSON.stringify(plain)).not.toMatch(/action_id|<!channel>/);
    }
  },
);
