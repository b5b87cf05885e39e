/** Charts as text, for places where Slack draws none. */
import { type Mrkdwn, md, trusted } from './escape.ts';

const WIDTH = 20;

/**
 * How much of `whole` is `part`, as a bar. Something is never drawn as nothing, and a part never as all. For eyes
 * alone: the numbers stand beside it in words. Slack's chart block has no place in the Home and in modals
 * (docs.slack.dev/reference/block-kit/blocks/data-visualization-block).
 */
export function bar(part: number, whole: number): Mrkdwn {
  const full = filled(part, whole);
  return md`\`${trusted('█'.repeat(full) + '░'.repeat(WIDTH - full))}\``;
}

function filled(part: number, whole: number): number {
  if (part <= 0 || whole <= 0) return 0;
  if (part >= whole) return WIDTH;
  return Math.min(Math.max(Math.round((part / whole) * WIDTH), 1), WIDTH - 1);
}
