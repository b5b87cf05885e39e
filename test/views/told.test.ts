import { describe, expect, it } from 'vitest';
import { personId } from '../../src/ids.ts';
import { render } from '../../src/views/render.ts';
import { anApproval } from '../harness/records.ts';
import { words } from './drawn.ts';

describe('the message about an outcome', () => {
  it('says why Patchbay withdrew what no person did', () => {
    const note = 'Nothing was sent, because something changed: web-01 is gone.';
    const ended = {
      kind: 'approval',
      approval: anApproval({ state: 'withdrawn', note }),
      operation: null,
    } as const;
    expect(words(render({ kind: 'told', ended, link: null }))).toContain(note);
    const by = personId('UOPERATOR');
    const own = { ...ended, approval: { ...ended.approval, decidedBy: by } };
    expect(words(render({ kind: 'told', ended: own, link: null }))).not.toContain(note);
  });
});
