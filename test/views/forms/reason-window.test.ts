import { describe, expect, it } from 'vitest';
import { requestId } from '../../../src/lib/ids.ts';
import { REASON_BLOCK, REASON_FORM_CALLBACK, reasonForm } from '../../../src/views/forms/reason-window.ts';

describe('form for a reason', () => {
  it('carries the request and keeps the limits of a form', () => {
    const form = reasonForm(requestId('r_1'));
    expect(form).toMatchObject({
      callback_id: REASON_FORM_CALLBACK,
      private_metadata: 'r_1',
      blocks: [{ block_id: REASON_BLOCK }],
    });
    for (const part of [form.title, form.submit, form.close])
      expect(part?.text.length).toBeLessThanOrEqual(24);
  });
});
