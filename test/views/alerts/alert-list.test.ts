import { describe, expect, it } from 'vitest';
import { channelId } from '../../../src/lib/ids.ts';
import { renderView } from '../../../src/views/views.ts';
import { aSilence } from '../../harness/records.ts';

describe('the line about what a silence held back', () => {
  const textOf = (reason: string | null) =>
    renderView({
      kind: 'silence-over',
      silence: aSilence({ reason }),
      channel: channelId('C0OPS'),
      kept: [{ kind: 'patch-failed', alerts: 1 }],
    }).text;

  it('says why, where a reason was given', () => {
    expect(textOf('move')).toMatch(
      /^▫️ \*Silence ended\.\* It held 1 patch failure here\.\n<@\w+> silenced all alerts, in every channel\. Reason: move$/,
    );
    expect(textOf(null)).toMatch(
      /^▫️ \*Silence ended\.\* It held 1 patch failure here\.\n<@\w+> silenced all alerts, in every channel\.$/,
    );
  });
});
