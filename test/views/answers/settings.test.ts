import { describe, expect, it } from 'vitest';
import type { View } from '../../../src/views/model.ts';
import { renderView } from '../../../src/views/views.ts';
import { START } from '../../harness/builders.ts';
import { renderedText as drawn } from '../rendered-text.ts';
import { aPause } from '../samples/setting-samples.ts';

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
